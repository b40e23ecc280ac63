// SPDX-License-Identifier: Apache-2.0
// Browsers give a page about sixteen graphics contexts and take the oldest away without asking. So we give them back
// first.

export interface Live {
  in_view(): boolean;
  stop(): void;
}

const most_live = 6;
const live: Live[] = [];

/** Notes that a map runs now; stops one that is out of view if there are too many. */
export function started(map: Live): void {
  live.push(map);
  if (live.length <= most_live) return;
  const idle = live.find((other) => other !== map && !other.in_view());
  idle?.stop();
}

export function stopped(map: Live): void {
  const at = live.indexOf(map);
  if (at >= 0) live.splice(at, 1);
}
