// SPDX-License-Identifier: Apache-2.0
// The colours of data. Six for things apart, after Okabe and Ito; one scheme for amounts, one for signed values. Each
// has a form for light and one for dark ground, and each differs in lightness as well as hue.
import type { Theme } from "./theme";

export type Rgb = readonly [number, number, number];

export function rgb(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function css([red, green, blue]: Rgb, opacity = 1): string {
  return opacity === 1 ? `rgb(${red} ${green} ${blue})` : `rgb(${red} ${green} ${blue} / ${opacity})`;
}

const numbered: Record<Theme, string[]> = {
  light: ["#0072b2", "#d55e00", "#00886a", "#b3478b", "#9a7200", "#1d2733"],
  dark: ["#56b4e9", "#f0803c", "#2cc295", "#e394c4", "#e6b422", "#f2f4f7"],
};

/** Colour `number` of six. */
export function category(number: number, theme: Theme): string {
  return numbered[theme][number % 6];
}

const quiet = {
  light: { lines: "#b4bdc7", points: "#97a2ae", areas: "#e3e8ed" },
  dark: { lines: "#46515e", points: "#64707e", areas: "#252d37" },
} as const;

/** What the rest stands on: roads, walls, water. */
export function ground(kind: "lines" | "points" | "areas", theme: Theme): string {
  return quiet[theme][kind];
}

const amounts: Record<Theme, string[]> = {
  light: ["#e3d04a", "#a3c653", "#55b270", "#26958a", "#2a7490", "#37528b", "#3f2d73", "#3a0f4f"],
  dark: ["#3b4a86", "#33658e", "#2a808e", "#26998a", "#47b477", "#8acb57", "#c9de4a", "#fdec60"],
};

const signed: Record<Theme, string[]> = {
  light: ["#0a3f86", "#2f72b5", "#7eaed6", "#cfd5da", "#eaa56a", "#c8641a", "#8a3200"],
  dark: ["#8ccbff", "#4a9fe0", "#336a9c", "#475160", "#a3642c", "#e58a3a", "#ffc48a"],
};

/** Colours along a scheme, evenly spaced; a scale looks its values up in it. */
export function ramp(kind: "linear" | "log" | "signed", theme: Theme, length = 256): Uint8Array {
  const stops = (kind === "signed" ? signed : amounts)[theme].map(rgb);
  const table = new Uint8Array(length * 3);
  for (let i = 0; i < length; ++i) {
    const place = (i / (length - 1)) * (stops.length - 1);
    const below = Math.min(stops.length - 2, Math.floor(place));
    for (let channel = 0; channel < 3; ++channel) {
      const from = stops[below][channel],
        to = stops[below + 1][channel];
      table[3 * i + channel] = Math.round(from + (to - from) * (place - below));
    }
  }
  return table;
}
