// SPDX-License-Identifier: Apache-2.0
import type { MapBlock, PackedArray } from "../src/document";
import { packed, random_numbers } from "./pack";
import { town, walks } from "./sample_town";

/** Maps with every layer, control and scale, and the numbers they need. */
export function arrays_and_maps(curator: boolean): { arrays: Record<string, PackedArray>; maps: MapBlock[] } {
  const place = town(34, 90, 1);
  const random = random_numbers(9);
  const hours = 24;
  const streets = place.far.length;
  const flow = new Float32Array(streets * hours);
  for (let hour = 0; hour < hours; ++hour)
    for (let i = 0; i < streets; ++i)
      flow[hour * streets + i] =
        random() < 0.08
          ? NaN
          : 3000 * Math.exp(-place.far[i] / 600) * (0.1 + Math.abs(Math.sin(hour / 4 + place.points[4 * i] / 900)));
  const change = place.far.map((far, i) => 80 * Math.sin(place.points[4 * i + 1] / 400) * Math.exp(-far / 1500));
  const trips = walks(place, 240, 18, 3);
  const steps = walks(place, 1, hours + 1, 8);
  const step_points = new Float32Array(4 * hours);
  for (let i = 0; i < hours; ++i) step_points.set(steps.points.subarray(2 * i, 2 * i + 4), 4 * i);
  const cells = 30;
  const grid = new Float32Array(cells * cells * 3);
  for (let frame = 0; frame < 3; ++frame)
    for (let row = 0; row < cells; ++row)
      for (let column = 0; column < cells; ++column) {
        const distance = Math.hypot(column - 10 - 4 * frame, row - 15);
        grid[frame * cells * cells + row * cells + column] = distance > 17 ? NaN : Math.exp(-distance / 4);
      }
  const rings = [-700, -100, 650].flatMap((x, i) =>
    Array.from({ length: 6 }, (_, corner) => [
      x + 260 * Math.cos((corner * Math.PI) / 3),
      (i - 1) * 420 + 260 * Math.sin((corner * Math.PI) / 3),
    ]).flat(),
  );
  const arrays = {
    "town.points": packed(place.points),
    "town.starts": packed(place.starts),
    "town.flow": packed(flow),
    "town.change": packed(change),
    "town.wide": packed(place.far.map((far) => 0.5 + 3 * Math.exp(-far / 500))),
    "trips.points": packed(trips.points),
    "trips.starts": packed(trips.starts),
    "steps.points": packed(step_points),
    "steps.starts": packed(new Uint32Array(hours + 1).map((_, i) => 2 * i)),
    "steps.places": packed(steps.points.slice(0, 2 * hours)),
    homes: packed(Float32Array.from([-300, 250, 420, -180, -600, -500, 700, 620])),
    grid: packed(grid),
    "rings.points": packed(Float32Array.from(rings)),
    "rings.starts": packed(Uint32Array.from([0, 6, 12, 18])),
    "rings.share": packed(Float32Array.from([0.1, 0.55, 0.9])),
  };
  const roads = {
    type: "lines",
    name: "",
    colour: { ground: true },
    points: "town.points",
    starts: "town.starts",
    width: 1,
    widths: "",
    until_place: false,
    arrows: false,
  } as const;
  const box: MapBlock["box"] = [-place.half_width, -place.half_width, place.half_width, place.half_width];
  const maps: MapBlock[] = [
    {
      type: "map",
      title: "Traffic by the hour",
      description: "Streets near the middle carry most traffic; it moves from west to east during the day.",
      metres: true,
      note: "Width: how near the middle. Streets without a value are not drawn.",
      box,
      views: [
        {
          title: "",
          private: false,
          layers: [
            roads,
            {
              ...roads,
              name: "traffic",
              colour: { scale: "flow", values: "town.flow", frames: hours },
              width: 2,
              widths: "town.wide",
            },
          ],
        },
      ],
      control: {
        id: "hour",
        label: "Hour",
        kind: "slider",
        places: Array.from({ length: hours }, (_, i) => `${String(i).padStart(2, "0")}:00`),
      },
      scales: [{ id: "flow", label: "vehicles an hour", kind: "log", low: 10, high: 3000 }],
    },
    {
      type: "map",
      title: "Before and after",
      description: "The released trips keep to the same streets as the true ones.",
      metres: true,
      note: "",
      box,
      views: [
        {
          title: "True trips",
          private: curator,
          layers: [
            roads,
            {
              ...roads,
              name: "trips",
              colour: { number: 1 },
              points: "trips.points",
              starts: "trips.starts",
              width: 1.5,
            },
          ],
        },
        {
          title: "Change of weights",
          private: false,
          layers: [
            roads,
            { ...roads, name: "change", colour: { scale: "change", values: "town.change", frames: 1 }, width: 2.5 },
          ],
        },
      ],
      control: null,
      scales: [{ id: "change", label: "change of weight (s)", kind: "signed", low: -60, high: 60 }],
    },
    {
      type: "map",
      title: "A walk and where it may have been",
      description: "The belief moves east with the walk.",
      metres: false,
      note: "",
      box,
      views: [
        {
          title: "Belief",
          private: false,
          layers: [
            {
              type: "grid",
              name: "belief",
              colour: { scale: "belief", values: "grid", frames: 3 },
              box: [-1500, -1500, 1500, 1500],
              columns: cells,
              rows: cells,
            },
            roads,
            {
              ...roads,
              name: "walk so far",
              colour: { number: 1 },
              points: "steps.points",
              starts: "steps.starts",
              width: 3,
              until_place: true,
              arrows: true,
            },
            {
              type: "points",
              name: "now",
              colour: { number: 5 },
              points: "steps.places",
              radius: 7,
              halo_m: 0,
              labels: [],
              at_place: true,
            },
          ],
        },
        {
          title: "Districts",
          private: false,
          layers: [
            {
              type: "areas",
              name: "districts",
              colour: { scale: "share", values: "rings.share", frames: 1 },
              points: "rings.points",
              starts: "rings.starts",
              labels: ["Harbour", "Old town", "Mill"],
              outline_only: false,
            },
            roads,
            {
              type: "areas",
              name: "limits",
              colour: { number: 3 },
              points: "rings.points",
              starts: "rings.starts",
              labels: [],
              outline_only: true,
            },
            {
              type: "points",
              name: "homes",
              colour: { number: 0 },
              points: "homes",
              radius: 5,
              halo_m: 200,
              labels: ["Anna", "Ben", "Café Zoë", "北門"],
              at_place: false,
            },
          ],
        },
      ],
      control: {
        id: "step",
        label: "Step",
        kind: "choice",
        places: Array.from({ length: hours }, (_, i) => `step ${i + 1}`),
      },
      scales: [
        { id: "belief", label: "probability", kind: "log", low: 0.01, high: 1 },
        { id: "share", label: "share of trips", kind: "linear", low: 0, high: 1 },
      ],
    },
  ];
  return { arrays, maps };
}
