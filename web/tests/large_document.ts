// SPDX-License-Identifier: Apache-2.0
import type { MapBlock, ReportDocument } from "../src/document";
import { packed } from "./pack";
import { town, walks } from "./sample_town";

/** As it stands, 300,000 streets with weights for four hours, and 100,000 trips of 20 points. */
export function large_document(side = 416, trip_count = 100_000): ReportDocument {
  const place = town(side, 60, 2);
  const streets = place.far.length;
  const flow = new Float32Array(streets * 4).map(
    (_, i) => 1000 * Math.exp(-place.far[i % streets] / 5000) * (1 + Math.floor(i / streets)),
  );
  const trips = walks(place, trip_count, 20, 4);
  const layer = {
    type: "lines",
    points: "points",
    starts: "starts",
    width: 1,
    widths: "",
    until_place: false,
    arrows: false,
  } as const;
  const block: MapBlock = {
    type: "map",
    title: "A large town",
    description: "Many streets.",
    metres: true,
    note: "",
    box: [-place.half_width, -place.half_width, place.half_width, place.half_width],
    views: [
      {
        title: "Streets",
        private: false,
        layers: [{ ...layer, name: "streets", colour: { scale: "flow", values: "flow", frames: 4 } }],
      },
      {
        title: "Trips",
        private: false,
        layers: [{ ...layer, name: "trips", colour: { number: 0 }, points: "trips", starts: "trip_starts" }],
      },
    ],
    control: { id: "hour", label: "Hour", kind: "slider", places: ["0", "1", "2", "3"] },
    scales: [{ id: "flow", label: "vehicles", kind: "linear", low: 0, high: 3000 }],
  };
  return {
    format: "fogline report",
    format_version: 1,
    version: "1.0.0",
    title: "Large report",
    curator: false,
    pages: [
      {
        id: "large",
        kind: "weights",
        title: `${streets} streets`,
        lead: "",
        sections: [{ title: "Map", note: "", private: false, blocks: [block] }],
      },
    ],
    arrays: {
      points: packed(place.points),
      starts: packed(place.starts),
      flow: packed(flow),
      trips: packed(trips.points),
      trip_starts: packed(trips.starts),
    },
  };
}
