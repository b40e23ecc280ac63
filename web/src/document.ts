// SPDX-License-Identifier: Apache-2.0
// What a report holds, as the program writes it into the page (src/report/document.hpp is the other side of this
// contract). The page knows words, tables, plots, maps and pictures; it knows nothing of kinds or mechanisms. Whoever
// adds a kind adds no line here.

/** The whole report: what stands in `<script type="application/json" id="document">`. */
export interface ReportDocument {
  format: "fogline report";
  format_version: 1;
  /** of Fogline */
  version: string;
  title: string;
  /** Holds private values: every page carries the mark. */
  curator: boolean;
  pages: Page[];
  /** Columns of numbers, by name, so that a network is held once whatever number of maps shows it. */
  arrays: Record<string, PackedArray>;
}

/** Little-endian numbers, compressed with gzip, as base64. */
export interface PackedArray {
  type: "u8" | "u16" | "u32" | "f32";
  length: number;
  gzip: string;
}

export interface Page {
  /** Unique, of a-z, 0-9 and -; the fragment of the page's address. */
  id: string;
  title: string;
  /** A word or two above the title: the kind, or "experiment". */
  kind: string;
  /** One sentence below the title. */
  lead: string;
  sections: Section[];
}

export interface Section {
  title: string;
  /** One or two sentences below the title; may be empty. */
  note: string;
  /** Shows something that only the curator may see. Only in a document with `curator`. */
  private: boolean;
  blocks: Block[];
}

export type Block = Words | Fields | Table | Budget | Plot | MapBlock | Picture;

/** Paragraphs, or with `list` the points of a list. */
export interface Words {
  type: "words";
  tone: "plain" | "promise" | "warning";
  list: boolean;
  paragraphs: string[];
}

/** Names with values, such as the parameters of a release. */
export interface Fields {
  type: "fields";
  rows: [name: string, value: string][];
}

export interface Table {
  type: "table";
  caption: string;
  columns: string[];
  /** Numbers stand right; null is an empty cell. */
  rows: (string | number | null)[][];
}

/** What was spent of a dataset's budget, drawn as a bar. */
export interface Budget {
  type: "budget";
  dataset: string;
  /** such as "per metre", or "" */
  measure: string;
  /** exact, as text: "0.01" or "1/3" */
  spent: string;
  spent_number: number;
  /** null: no cap is set */
  cap: string | null;
  cap_number: number | null;
  /** by this release, of what was spent */
  this_release_number: number;
}

export interface Axis {
  label: string;
  log: boolean;
  from_zero: boolean;
}

/** Series over one pair of axes. */
export interface Plot {
  type: "plot";
  title: string;
  /** small print below: what the data is */
  note: string;
  x: Axis;
  y: Axis;
  /**
   * line: dots joined in order; bars: a histogram, y over [x, x2]; steps: as bars, but outlines only, for several
   * series; dots: not joined
   */
  mark: "line" | "bars" | "steps" | "dots";
  series: Series[];
  /** Vertical lines with a name, such as the value in use. */
  marks: { x: number; label: string }[];
  /**
   * The control (see MapBlock) whose place is shown as a moving vertical line; its places are x = 0, 1, 2, ...; or ""
   */
  follows: string;
}

export interface Series {
  name: string;
  x: number[];
  /** ends of the bars, with bars and steps; otherwise empty */
  x2: number[];
  /** null: nothing known there */
  y: (number | null)[];
  /** area of each dot, with dots; otherwise empty */
  size: number[];
}

/**
 * One or more maps side by side that move together. Coordinates are metres on a plane (or, without `metres`, of a
 * drawing), x to the east and y to the north.
 */
export interface MapBlock {
  type: "map";
  title: string;
  /** What is to be seen, for those who do not see it. */
  description: string;
  note: string;
  /** false: places were made up, so that distances mean nothing and no scale bar is drawn */
  metres: boolean;
  /** What is in view at the start: west, south, east, north. */
  box: [number, number, number, number];
  views: { title: string; private: boolean; layers: MapLayer[] }[];
  /** What a reader may turn: layers with frames show the frame of this place. */
  control: Control | null;
  /** The scales that layers name; each has a legend. */
  scales: Scale[];
}

export interface Control {
  /** Unique in the page; plots may follow it. */
  id: string;
  label: string;
  /** slider: with a button that plays; choice: a list */
  kind: "slider" | "choice";
  /** The name of each place. */
  places: string[];
}

/**
 * From values to colours of a scheme that colour-blind readers tell apart, light to dark on light ground and dark to
 * light on dark ground.
 */
export interface Scale {
  id: string;
  label: string;
  /** signed: from below 0 over neutral 0 to above */
  kind: "linear" | "log" | "signed";
  low: number;
  high: number;
}

/** Names of arrays of the document stand for their numbers. */
export type MapLayer = Lines | Points | Areas | Grid;

interface LayerBase {
  /** Shown in a list of layers that can be switched off; "" : part of the ground, not listed. */
  name: string;
  /** What it looks like: ground roads are quiet, the others are one of six colours or a scale. */
  colour: Colour;
}

export type Colour =
  | { ground: true }
  | { number: 0 | 1 | 2 | 3 | 4 | 5 }
  /**
   * `values`: array with one number for each line, point or cell; with frames, for the first frame, then the next...
   * NaN and what lies below a log scale is not drawn
   */
  | { scale: string; values: string; frames: number };

/**
 * Lines of points: line i owns the points starts[i] to starts[i + 1] - 1. `width`: pixels, or an array of pixels per
 * line.
 */
export interface Lines extends LayerBase {
  type: "lines";
  /** x0, y0, x1, y1, ... (f32) */
  points: string;
  /** u32, one more than there are lines */
  starts: string;
  width: number;
  /** array of factors of the width for each line, or "" */
  widths: string;
  /** with a control: only lines up to its place are drawn (line i belongs to place i) */
  until_place: boolean;
  /** with an arrow head at the end of each */
  arrows: boolean;
}

export interface Points extends LayerBase {
  type: "points";
  /** x0, y0, x1, y1, ... (f32) */
  points: string;
  /** radius in pixels */
  radius: number;
  /** a circle of true size around each, metres; 0: none */
  halo_m: number;
  /** a name for each, shown beside it; or empty */
  labels: string[];
  /** with a control: point i is drawn only at place i */
  at_place: boolean;
}

/** Polygons: ring i owns the points starts[i] to starts[i + 1] - 1, and each ring is a polygon of its own. */
export interface Areas extends LayerBase {
  type: "areas";
  points: string;
  starts: string;
  /** a name for each ring; or empty */
  labels: string[];
  outline_only: boolean;
}

/** Equal cells in a box, rows from south to north; the colour must be a scale. */
export interface Grid extends LayerBase {
  type: "grid";
  box: [number, number, number, number];
  columns: number;
  rows: number;
}

/** A finished drawing, in SVG; our own, with its own light and dark colours. */
export interface Picture {
  type: "picture";
  title: string;
  description: string;
  note: string;
  svg: string;
}
