// SPDX-License-Identifier: Apache-2.0
import type { Plot, Series } from "../src/document";
import { random_numbers } from "./pack";

const series = (name: string, x: number[], y: (number | null)[], more: Partial<Series> = {}): Series => ({
  name,
  x,
  x2: [],
  y,
  size: [],
  ...more,
});

/** A plot of each mark. */
export function plots(): Plot[] {
  const random = random_numbers(5);
  const epsilons = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
  const axis = (label: string, log = false, from_zero = false) => ({ label, log, from_zero });
  const bins = Array.from({ length: 20 }, (_, i) => i * 50);
  const height = (mean: number) =>
    bins.map((x) => Math.round(900 * Math.exp(-(((x - mean) / 190) ** 2)) + 20 * random()));
  return [
    {
      type: "plot",
      title: "Error by epsilon",
      note: "Mean distance between the true and the released place, 1,000 draws at each epsilon.",
      mark: "line",
      x: axis("epsilon per metre", true),
      y: axis("mean error (m)", true),
      series: [
        series(
          "published",
          epsilons,
          epsilons.map((e) => 2 / e),
        ),
        series(
          "tight",
          epsilons,
          epsilons.map((e) => 1.4 / e),
        ),
        series(
          "optimal",
          epsilons,
          epsilons.map((e, i) => (i === 3 ? null : 1.1 / e)),
        ),
      ],
      marks: [
        { x: 0.01, label: "in use" },
        { x: 0.0125, label: "asked for" },
      ],
      follows: "",
    },
    {
      type: "plot",
      title: "Belief that the person is at home",
      note: "",
      mark: "line",
      x: axis("hour"),
      y: axis("probability", false, true),
      series: [
        series(
          "before",
          Array.from({ length: 24 }, (_, i) => i),
          Array.from({ length: 24 }, (_, i) => 0.5 + 0.3 * Math.cos(i / 4)),
        ),
        series(
          "after",
          Array.from({ length: 24 }, (_, i) => i),
          Array.from({ length: 24 }, (_, i) => 0.5 + 0.42 * Math.cos(i / 4 + 0.2)),
        ),
      ],
      marks: [],
      follows: "hour",
    },
    {
      type: "plot",
      title: "Lengths of trips",
      note: "Released trips only.",
      mark: "bars",
      x: axis("length (m)"),
      y: axis("trips", false, true),
      series: [series("", bins, height(420), { x2: bins.map((x) => x + 50) })],
      marks: [{ x: 430, label: "mean" }],
      follows: "",
    },
    {
      type: "plot",
      title: "Lengths, three mechanisms",
      note: "",
      mark: "steps",
      x: axis("length (m)"),
      y: axis("trips", false, true),
      series: [
        series("sound", bins, height(420), { x2: bins.map((x) => x + 50) }),
        series("published", bins, height(520), { x2: bins.map((x) => x + 50) }),
        series("grid", bins, height(300), { x2: bins.map((x) => x + 50) }),
      ],
      marks: [],
      follows: "",
    },
    {
      type: "plot",
      title: "Flows between districts",
      note: "Area of a dot: trips.",
      mark: "dots",
      x: axis("true share"),
      y: axis("released share"),
      series: [0, 1].map((number) => {
        const x = Array.from({ length: 40 }, () => random());
        return series(
          number ? "evening" : "morning",
          x,
          x.map((v) => v + 0.2 * (random() - 0.5)),
          { size: x.map(() => 5 + 100 * random()) },
        );
      }),
      marks: [],
      follows: "",
    },
  ];
}
