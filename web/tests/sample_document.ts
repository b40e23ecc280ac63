// SPDX-License-Identifier: Apache-2.0
// A report with every kind of block, to try the page on.
import type { Block, MapBlock, Page, ReportDocument } from "../src/document";
import { arrays_and_maps } from "./sample_maps";
import { drawing } from "./sample_picture";
import { plots } from "./sample_plots";

export interface Wishes {
  curator: boolean;
  /** put into every text, to see that it stays text */
  hostile?: string;
}

function pages(curator: boolean, maps: MapBlock[]): Page[] {
  const [error, belief, lengths, steps, flows] = plots();
  const section = (title: string, note: string, blocks: Block[], is_private = false) => ({
    title,
    note,
    private: is_private,
    blocks,
  });
  return [
    {
      id: "summary",
      kind: "place",
      title: "A place in the town",
      lead: "One position, released once, safe to send to a service that wants to know where you are.",
      sections: [
        section("What is promised", "", [
          {
            type: "words",
            tone: "promise",
            list: false,
            paragraphs: [
              "Whoever sees the release can hardly tell two places apart that are near to " +
                "each other: the odds change by at most e^(0.01 d) for places d metres apart.",
              "This holds whatever else they know.",
            ],
          },
          {
            type: "words",
            tone: "warning",
            list: false,
            paragraphs: ["Many releases of the same place add up. The budget below says how far it has come."],
          },
          {
            type: "words",
            tone: "plain",
            list: true,
            paragraphs: ["The network is public.", "The place is private.", "Lengths are exact, in millimetres."],
          },
        ]),
        section("Parameters", "As they stand in the statement.", [
          {
            type: "fields",
            rows: [
              ["mechanism", "tight kernel"],
              ["epsilon", "0.01 per metre"],
              ["range", "1,156 vertices"],
              ["randomness", "operating system"],
              ["exactness", "integer weights, certified"],
              ["expected error", "141 m"],
            ],
          },
          {
            type: "budget",
            dataset: "positions of April",
            measure: "per metre",
            spent: "0.04",
            spent_number: 0.04,
            cap: "0.1",
            cap_number: 0.1,
            this_release_number: 0.01,
          },
          {
            type: "budget",
            dataset: "trial",
            measure: "",
            spent: "1/3",
            spent_number: 1 / 3,
            cap: null,
            cap_number: null,
            this_release_number: 0.1,
          },
          {
            type: "table",
            caption: "Mechanisms side by side",
            columns: ["mechanism", "guarantee", "mean error (m)", "time (µs)", "outputs"],
            rows: [
              ["published", "metric DP", 201.25, 14.2, 1156],
              ["tight", "metric DP", 141.7, 15.03, 1156],
              ["optimal", "metric DP", 112.004, 3.5, 400],
              ["none", null, 0, 0.00002, null],
            ],
          },
        ]),
        ...(curator
          ? [
              section(
                "Against the truth",
                "Only the curator may see how far the release lies from the truth.",
                [{ type: "fields", rows: [["distance", "97 m"]] }],
                true,
              ),
            ]
          : []),
      ],
    },
    {
      id: "traffic",
      kind: "weights",
      title: "Traffic of a day",
      lead: "Weights of all streets, hour by hour.",
      sections: [section("The day", "", [maps[0], belief]), section("Before and after", "", [maps[1]], curator)],
    },
    {
      id: "walk",
      kind: "traces",
      title: "A walk",
      lead: "What the release says of where somebody was.",
      sections: [section("The map", "", [maps[2]])],
    },
    {
      id: "plots",
      kind: "experiment",
      title: "What it costs",
      lead: "Measured on the sample town.",
      sections: [
        section("Error", "", [error]),
        section("Trips", "Histograms of one and of several series.", [lengths, steps, flows]),
      ],
    },
    {
      id: "picture",
      kind: "experiment",
      title: "Layers",
      lead: "A finished drawing.",
      sections: [
        section("Drawing", "", [
          {
            type: "picture",
            title: "Layers of a path",
            description: "Six vertices in four layers.",
            note: "Blue: whole vertices.",
            svg: drawing,
          },
        ]),
      ],
    },
  ];
}

/** Every text of a document but the ones that the page looks up or computes with. */
function spoiled(value: unknown, hostile: string, key = ""): unknown {
  const kept = [
    "type",
    "id",
    "format",
    "version",
    "kind",
    "mark",
    "tone",
    "svg",
    "points",
    "starts",
    "widths",
    "values",
    "scale",
    "follows",
    "gzip",
  ];
  if (typeof value === "string") return kept.includes(key) ? value : `${value}${hostile}`;
  if (Array.isArray(value)) return value.map((item) => spoiled(item, hostile, key));
  if (value && typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, name === "arrays" ? item : spoiled(item, hostile, name)]),
    );
  return value;
}

/** A report with every kind of block. */
export function sample_document({ curator, hostile }: Wishes): ReportDocument {
  const { arrays, maps } = arrays_and_maps(curator);
  const report: ReportDocument = {
    format: "fogline report",
    format_version: 1,
    version: "1.0.0",
    title: "Sample report of the town",
    curator,
    pages: pages(curator, maps),
    arrays,
  };
  return hostile ? (spoiled(report, hostile) as ReportDocument) : report;
}
