// SPDX-License-Identifier: Apache-2.0
// Numbers as readers see them, and round places for ticks.

/** Up to `digits` significant digits, with commas for thousands; very large and very small ones as 1.2e-7. */
export function shown(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size >= 1e9 || size < 1e-4) {
    const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
    return `${sign}${Number(mantissa)}e${Number(exponent)}`;
  }
  const whole = Math.floor(Math.log10(size)) + 1;
  const text = size.toLocaleString("en", { maximumFractionDigits: Math.max(0, digits - whole) });
  return sign + text;
}

/** A whole number with commas. */
export function counted(value: number): string {
  return value.toLocaleString("en");
}

/** 1, 2 or 5 times a power of ten, so that about `count` steps make the way. */
function round_step(way: number, count: number): number {
  const rough = way / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead > 7 ? 10 : lead > 3.5 ? 5 : lead > 1.5 ? 2 : 1) * power;
}

/** [low, high] widened to round numbers. */
export function rounded_ends(low: number, high: number, count: number): [number, number] {
  if (!(high > low)) return [low, high];
  const step = round_step(high - low, count);
  const round = (steps: number) => Number((steps * step).toPrecision(12));
  return [round(Math.floor(low / step + 1e-9)), round(Math.ceil(high / step - 1e-9))];
}

/** Round numbers within [low, high], about `count` of them. */
export function linear_ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const step = round_step(high - low, count);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Powers of ten within [low, high], thinned to about `count`; with few of them, 2 and 5 times those as well. */
export function log_ticks(low: number, high: number, count: number): number[] {
  if (!(low > 0) || !(high > low)) return [low];
  const first = Math.floor(Math.log10(low)),
    last = Math.ceil(Math.log10(high));
  const within = (values: number[]) =>
    values.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const powers: number[] = [];
  for (let exponent = first; exponent <= last; ++exponent) powers.push(Number(`1e${exponent}`));
  const whole = within(powers);
  if (whole.length > count) {
    const every = Math.ceil(whole.length / count);
    return whole.filter((_, i) => i % every === 0);
  }
  if (whole.length > 2) return whole;
  const finer = within(powers.flatMap((power) => [1, 2, 5].map((lead) => Number((lead * power).toPrecision(3)))));
  return finer.length >= 2 ? finer : linear_ticks(low, high, count);
}

/** The largest 1, 2 or 5 times a power of ten that is at most `most`: for scale bars. */
export function round_below(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most) + 1e-9);
  const lead = most / power;
  return Number(((lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power).toPrecision(3));
}

/** A length: "500 m" or "2 km". */
export function length_words(metres: number): string {
  return metres >= 1000 ? `${shown(metres / 1000)} km` : `${shown(metres)} m`;
}
