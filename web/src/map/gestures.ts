// SPDX-License-Identifier: Apache-2.0
// Mouse, touch and keys on a map. The wheel scrolls the page unless the map has the focus or Ctrl is held, so that
// nobody gets stuck in a map on the way down the page.
import { moved, zoomed, type Camera, type Size } from "./camera";

export interface Moves {
  camera(): Camera;
  set_camera(camera: Camera): void;
  /** all the way back */
  reset(): void;
  least_zoom(): number;
  /** The view below a point of the stage: its middle, in pixels of the stage. */
  middle_at(x: number, y: number): [number, number];
  view_size(): Size;
  /** The wheel turned, but scrolls the page. */
  refused_wheel(): void;
}

const key_step_px = 60;

function on_keys(stage: HTMLElement, moves: Moves): void {
  const steps: Record<string, [number, number]> = {
    ArrowLeft: [-key_step_px, 0],
    ArrowRight: [key_step_px, 0],
    ArrowUp: [0, -key_step_px],
    ArrowDown: [0, key_step_px],
  };
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== stage) return;
    const step = steps[event.key];
    if (step) moves.set_camera(moved(moves.camera(), ...step));
    else if (event.key === "+" || event.key === "=") moves.set_camera(zoomed(moves.camera(), 0.5, moves.least_zoom()));
    else if (event.key === "-" || event.key === "_") moves.set_camera(zoomed(moves.camera(), -0.5, moves.least_zoom()));
    else if (event.key === "0" || event.key === "Home") moves.reset();
    else return;
    event.preventDefault();
  });
}

function on_wheel(stage: HTMLElement, moves: Moves): void {
  stage.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && document.activeElement !== stage) {
        moves.refused_wheel();
        return;
      }
      event.preventDefault();
      const [x, y] = within(stage, event);
      const [middle_x, middle_y] = moves.middle_at(x, y);
      // Wheels count in pixels, lines or pages; pinches on a touchpad come as small turns with Ctrl.
      const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 16 : 400;
      const turn = -event.deltaY * unit * (event.ctrlKey && Math.abs(event.deltaY) < 40 ? 0.01 : 0.0025);
      moves.set_camera(
        zoomed(moves.camera(), Math.max(-1, Math.min(1, turn)), moves.least_zoom(), x - middle_x, y - middle_y),
      );
    },
    { passive: false },
  );
}

function within(stage: HTMLElement, event: { clientX: number; clientY: number }): [number, number] {
  const frame = stage.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
}

function on_pointers(stage: HTMLElement, moves: Moves): void {
  const down = new Map<number, [number, number]>();
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || (event.target as Element).closest("button")) return;
    stage.setPointerCapture(event.pointerId);
    down.set(event.pointerId, within(stage, event));
    stage.classList.add("dragged");
  });
  stage.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = within(stage, event);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, now);
    if (!other) {
      moves.set_camera(moved(moves.camera(), before[0] - now[0], before[1] - now[1]));
      return;
    }
    // Two fingers: closer as they part, moved as their middle moves.
    const apart = (a: [number, number]) => Math.max(10, Math.hypot(a[0] - other[0], a[1] - other[1]));
    const [middle_x, middle_y] = moves.middle_at(...now);
    const x = (now[0] + other[0]) / 2 - middle_x,
      y = (now[1] + other[1]) / 2 - middle_y;
    const closer = zoomed(moves.camera(), Math.log2(apart(now) / apart(before)), moves.least_zoom(), x, y);
    moves.set_camera(moved(closer, (before[0] - now[0]) / 2, (before[1] - now[1]) / 2));
  });
  const up = (event: PointerEvent) => {
    down.delete(event.pointerId);
    stage.classList.toggle("dragged", down.size > 0);
  };
  stage.addEventListener("pointerup", up);
  stage.addEventListener("pointercancel", up);
  stage.addEventListener("dblclick", (event) => {
    if ((event.target as Element).closest("button")) return;
    const [x, y] = within(stage, event);
    const [middle_x, middle_y] = moves.middle_at(x, y);
    moves.set_camera(zoomed(moves.camera(), event.shiftKey ? -1 : 1, moves.least_zoom(), x - middle_x, y - middle_y));
  });
}

export function listen(stage: HTMLElement, moves: Moves): void {
  on_keys(stage, moves);
  on_wheel(stage, moves);
  on_pointers(stage, moves);
}
