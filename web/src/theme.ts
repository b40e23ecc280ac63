// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system says, until the reader chooses.
import { Signal } from "./signal";

export type Theme = "light" | "dark";

const key = "fogline-theme";

// A page opened from a file may have no storage; the choice then lasts as long as the page.
function stored(): Theme | null {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

function store(value: Theme): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // nothing is lost but the memory of the choice
  }
}

const system = matchMedia("(prefers-color-scheme: dark)");
let chosen = stored();

export const theme = new Signal<Theme>(chosen ?? (system.matches ? "dark" : "light"));

function show(): void {
  document.documentElement.dataset.theme = theme.value;
}

show();
theme.watch(show);
system.addEventListener("change", () => {
  if (chosen === null) theme.set(system.matches ? "dark" : "light");
});

export function choose_theme(value: Theme): void {
  chosen = value;
  store(value);
  theme.set(value);
}
