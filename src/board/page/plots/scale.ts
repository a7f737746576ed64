import { nice, ticks } from "d3-array";

export type Range = readonly [number, number];

/** Returns the position, in pixels, of a value of the domain. */
export type Scale = (value: number) => number;

export function linearScale([fromValue, toValue]: Range, [from, to]: Range): Scale {
  const width = toValue - fromValue;
  return (value) => (width === 0 ? from : from + ((value - fromValue) / width) * (to - from));
}

/** Returns a linear scale from 0 to a round value of at least `max`, with about `count` round ticks. */
export function niceScale(max: number, range: Range, count: number): { at: Scale; ticks: number[] } {
  const [, end] = nice(0, max, count);
  return { at: linearScale([0, end], range), ticks: ticks(0, end, count) };
}

/** Returns a logarithmic scale; values outside the domain are placed at its ends. */
export function logScale([fromValue, toValue]: Range, range: Range): Scale {
  const scale = linearScale([Math.log(fromValue), Math.log(toValue)], range);
  return (value) => scale(Math.log(Math.max(fromValue, Math.min(toValue, value))));
}

/** Equal bands along an axis, in pixels. */
export interface Bands {
  /** Returns the start of the band with this index. */
  at: (index: number) => number;
  width: number;
  /** The distance from the start of a band to the start of the next. */
  step: number;
}

/** Returns bands with `padding`, a share of the step from 0 to 1, between and around them. */
export function bands(count: number, [from, to]: Range, padding: number): Bands {
  const step = (to - from) / Math.max(1, count + padding);
  return { at: (index) => from + step * (index + padding), width: step * (1 - padding), step };
}
