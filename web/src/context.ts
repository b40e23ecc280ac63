// SPDX-License-Identifier: Apache-2.0
import type { Arrays } from "./arrays";
import type { ReportDocument } from "./document";
import { Signal } from "./signal";

/** What the blocks of one shown page share. It ends when the page is left. */
export class Context {
  private places = new Map<string, Signal<number>>();
  private endings: (() => void)[] = [];

  /** `printed`: everything is drawn at once, for paper, since nothing can be waited for. */
  constructor(
    readonly report: ReportDocument,
    readonly arrays: Arrays,
    readonly printed = false,
  ) {}

  /** The place of a control. The map that owns the control turns it, plots follow it, whichever comes first. */
  place(control_id: string): Signal<number> {
    let signal = this.places.get(control_id);
    if (!signal) this.places.set(control_id, (signal = new Signal(0)));
    return signal;
  }

  /** Runs when the page is left: for listeners, timers and graphics memory. */
  at_end(ending: () => void): void {
    this.endings.push(ending);
  }

  end(): void {
    for (const ending of this.endings.splice(0)) ending();
  }
}
