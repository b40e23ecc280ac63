// SPDX-License-Identifier: Apache-2.0
// Asks a service that `fogline serve` runs for released positions, with nothing but fetch: for backends on Node, Deno, Bun or workers.
// The token is a secret, and stays on the backend: no page in a browser may hold it. A page asks its own backend, as page.html does.
//
//     import "./client.js";       // or require("./client.js"): either sets globalThis.fogline
//
//     const safe = await fogline.release({
//       service: "http://localhost:8080",
//       token: process.env.FOGLINE_TOKEN,
//       subject: "anna",
//       lon: 0.0001,
//       lat: 0.0002,
//     });
//     safe.lon, safe.lat, safe.releasedAt, safe.statement
//
// One request has one Idempotency-Key. If no answer comes, or the service is not ready (503), the same is sent again with the same key:
// it is charged once, and has one answer. A spent budget (429) is not asked again: the error says when it renews.

class FoglineError extends Error {
  constructor(message, { status = 0, code = "no-answer", retryAfterS = null, key = "" } = {}) {
    super(message);
    this.name = "FoglineError";
    Object.assign(this, { status, code, retryAfterS, key });
  }

  get isOverBudget() {
    return this.code === "over-budget";
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Seconds of a header Retry-After; null if it has none. */
function retryAfter(response) {
  const text = response.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** What the service says is wrong. It never repeats the position or the token. */
async function problemOf(response, key) {
  const isProblem = (response.headers.get("Content-Type") ?? "").startsWith("application/problem+json");
  const told = isProblem ? await response.json().catch(() => ({})) : {};
  const message = told.detail ?? told.title ?? `the service answered with status ${response.status}`;
  return new FoglineError(message, { status: response.status, code: told.code, retryAfterS: retryAfter(response), key });
}

/** The released position of a subject for its true one. Keep `key` if a request must outlast this process. */
async function release({ service, token, subject, lon, lat, key = crypto.randomUUID(), tries = 6, timeoutMs = 5000 }) {
  const request = {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify({ subject, lon, lat }),
    redirect: "error", // a position goes to the service alone
  };
  let failed;
  for (let attempt = 0; attempt < tries; attempt++) {
    if (attempt > 0) await pause(Math.max(1000 * (failed.retryAfterS ?? 0), 100 * 2 ** attempt * (0.5 + Math.random() / 2)));
    try {
      const response = await fetch(`${service}/v1/place/release`, { ...request, signal: AbortSignal.timeout(timeoutMs) });
      if (response.ok) {
        const { lon, lat, vertex, released_at, statement } = await response.json();
        const headers = response.headers;
        return {
          lon,
          lat,
          vertex,
          releasedAt: new Date(released_at),
          statement,
          ageS: Number(headers.get("Age") ?? 0),
          isCharged: headers.get("Fogline-Charged") === "true",
        };
      }
      failed = await problemOf(response, key);
    } catch {
      failed = new FoglineError("the service gave no answer", { key });
    }
    if (![0, 502, 503, 504].includes(failed.status)) break;
  }
  throw failed;
}

globalThis.fogline = { release, FoglineError };
