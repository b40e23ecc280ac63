#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts the service and the backend, and looks at what friends, logs and the ledger hold.

examples/backend/test.py build/release/fogline      # with a Python that has the package; needs node
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import fogline as fl

HERE = pathlib.Path(__file__).resolve().parent
TRUE = {"anna": (0.00012345678, 0.00087654321), "bo": (0.00055512349, 0.00066698763)}
DIGITS = [f"{part:.11f}"[-8:] for pair in TRUE.values() for part in pair]
STARTED_S = 60  # a slow machine
SETTINGS = """listen = "127.0.0.1:0"
ledger = "{folder}/service.ledger"
cap = "epsilon 0.03 per metre per subject in 24 h"
over-budget = "refuse"

[place]
network = "lattice:20x20:100"
mechanism = "gem"
epsilon = "0.01"
anyway = true

[[token]]
name = "app"
sha256 = "{hash}"
scopes = ["release", "budget", "statements"]
"""
# The same by client.js: a service that is busy at first, one answer for one key, a spent budget, a wrong token.
SCRIPT = """
import {client};
const asked = {{ service: process.env.SERVICE, token: process.env.FOGLINE_TOKEN, subject: "cleo" }};
Object.assign(asked, {{ lon: {lon}, lat: {lat} }});
const require = (holds, what) => {{ if (!holds) throw new Error(what); }};
const keys = [], really = globalThis.fetch;
let busy = 2;
globalThis.fetch = (url, request) => {{
  keys.push(request.headers["Idempotency-Key"]);
  if (busy-- === 2) return Promise.reject(new TypeError("fetch failed"));
  const answer = {{ status: 503, headers: {{ "Retry-After": "1" }} }};
  return busy >= 0 ? Promise.resolve(new Response("", answer)) : really(url, request);
}};
const first = await fogline.release(asked);
require(keys.length === 3 && new Set(keys).size === 1, "a retry has its key");
require(first.isCharged && first.ageS < 60 && first.releasedAt.getTime() > 0 && first.statement, "an answer");
const again = await fogline.release({{ ...asked, key: keys[0] }});
require(!again.isCharged && again.statement === first.statement && again.lon === first.lon, "one answer for one key");
await fogline.release(asked);
await fogline.release(asked);
const refused = async (more) => {{
  try {{
    await fogline.release({{ ...asked, ...more }});
  }} catch (error) {{
    require(error instanceof fogline.FoglineError, "an error of its own");
    require(!`${{error}} ${{JSON.stringify(error)}}`.includes(String(more.token ?? asked.token)), "no token in it");
    return error;
  }}
  throw new Error("an answer where there is none");
}};
const over = await refused({{}});
require(over.isOverBudget && over.status === 429 && over.retryAfterS > 86000, "over the budget");
require((await refused({{ token: "fog_wrong" }})).status === 401, "a wrong token");
require((await refused({{ lat: 91 }})).status === 400, "no position");
busy = 2;
require((await refused({{ tries: 2 }})).status === 503, "busy all the time");
console.log(JSON.stringify([first.lon, first.lat]));
"""


def require(holds: object, sentence: str) -> None:
    if not holds:
        sys.exit(f"backend: {sentence}")


@contextlib.contextmanager
def started(log: pathlib.Path, says: str, *words: object, **more: str) -> Iterator[re.Match[str]]:
    """A process that runs until the block ends, once it has said this."""
    with log.open("w") as out:
        process = subprocess.Popen([*map(str, words)], stdout=out, stderr=out, env={**os.environ, **more})
    try:
        until = time.monotonic() + STARTED_S
        while not (found := re.search(says, log.read_text(), re.DOTALL)):
            require(
                process.poll() is None and time.monotonic() < until, f"it does not start: {log.read_text()}"
            )
            time.sleep(0.01)
        yield found
    finally:
        process.terminate()
        process.wait()


def ask(url: str, body: Any = None) -> tuple[int, dict[str, str], Any]:
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data)) as response:
            return response.status, dict(response.headers), json.load(response)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, dict(refused.headers), json.load(refused)


def check_in(app: str, user: str, more: dict[str, Any] | None = None) -> tuple[int, dict[str, str], Any]:
    lon, lat = TRUE[user]
    return ask(f"{app}/checkin", {"user": user, "lon": lon, "lat": lat} | (more or {}))


def the_backend(app: str, client: fl.Client) -> str:
    """Everything that anybody could see of it."""
    seen = []
    for user in TRUE:
        status, _, shown = check_in(app, user)
        require(status == 200 and shown["at"], f"a check-in: {status} {shown}")
        left = client.budget(user)
        require((left.spent, left.positions_left) == (Fraction(1, 100), 2), "the budget went down by one")
        seen.append(shown)
    status, _, friends = ask(f"{app}/friends")
    require(status == 200 and [friends["anna"], friends["bo"]] == seen, f"what friends see: {friends}")
    for user, (lon, lat) in TRUE.items():
        require((friends[user]["lon"], friends[user]["lat"]) != (lon, lat), "friends see the true position")
    for body in (
        b"",
        b"{",
        b"[]",
        b'{"user": "anna"}',
        {"user": "anna", "lon": f"{TRUE['anna'][0]}", "lat": 0},
    ):
        status, _, told = ask(f"{app}/checkin", body)
        require(status == 400, f"a bad body: {status} {told}")
        seen.append(told)
    for wrong in ({"lat": 90.00087654321}, {"user": "an na"}):
        status, _, told = check_in(app, "anna", wrong)
        require(status == 400, f"a bad field: {status} {told}")
        seen.append(told)
    require([check_in(app, "anna")[0] for _ in range(2)] == [200, 200], "the rest of the budget")
    status, headers, told = check_in(app, "anna")
    require(status == 429 and int(headers["Retry-After"]) > 86_000, f"a spent budget: {status} {told}")
    require(client.budget("anna").remaining == 0, "nothing is left")
    return json.dumps([seen, friends, told, ask(f"{app}/friends")])


def the_script(url: str, token: str) -> str:
    lon, lat = TRUE["anna"]
    script = SCRIPT.format(client=json.dumps((HERE / "client.js").as_uri()), lon=lon, lat=lat)
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        capture_output=True,
        text=True,
        env={**os.environ, "SERVICE": url, "FOGLINE_TOKEN": token},
    )
    require(done.returncode == 0, f"client.js: {done.stderr}")
    return done.stdout + done.stderr


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("fogline", type=pathlib.Path)
    fogline = options.parse_args().fogline.resolve()
    with tempfile.TemporaryDirectory(prefix="fogline-backend-") as name:
        folder = pathlib.Path(name)
        token = subprocess.check_output([fogline, "serve", "--new-token", "app", "-q"], text=True).strip()
        hash_of_token = hashlib.sha256(token.encode()).hexdigest()
        settings = folder / "service.toml"
        settings.write_text(SETTINGS.format(folder=folder, hash=hash_of_token))
        serve = (fogline, "serve", "--config", settings, "-v")
        with started(folder / "service.log", r"listening on port (\d+).*\nready\n", *serve) as service:
            url = f"http://127.0.0.1:{service[1]}"
            app_words = (sys.executable, HERE / "app.py", "--service", url, "--port", 0)
            with started(
                folder / "app.log", r"(http://localhost:\d+)\n", *app_words, FOGLINE_TOKEN=token
            ) as app:
                with urllib.request.urlopen(app[1] + "/") as page:
                    require(b"About here" in page.read(), "the page")
                with fl.Client(url, token) as client:
                    seen = the_backend(app[1], client)
            status, left = the_script(url, token), fl.Client(url, token).budget("cleo")
            require(left.positions_left == 0, "client.js spent it all")
        seen += status + "".join(file.read_bytes().decode("latin-1") for file in folder.iterdir())
        for secret in (*DIGITS, token):
            require(
                secret not in seen, "a true position or the token is seen by friends, in a log or in a file"
            )
    print("backend: friends see released positions alone, and each was paid for; so with client.js")


if __name__ == "__main__":
    main()
