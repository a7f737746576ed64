import { CELL_HEIGHT, FONT_SIZE, MARGIN, type PixelSize } from "./cell-size.ts";
import type { Picture } from "./picture.ts";
import { svgLine } from "./svg-line.ts";
import type { Rgb } from "./theme.ts";

export interface SvgFrame {
  atMs: number;
  picture: Picture;
  /** One string per line; lines with equal strings look the same. */
  lineKeys: readonly string[];
}

export interface SvgOptions {
  size: PixelSize;
  background: Rgb;
  /** How long the last frame is shown before the animation restarts. */
  endMs: number;
}

const FONT_FAMILY = '"DejaVu Sans Mono","JetBrains Mono",Menlo,Consolas,"Liberation Mono",monospace';

/**
 * Yields the text of an SVG, animated if there is more than one frame: the frames are placed side by side and move past in steps.
 * A line that was drawn before is only referenced. Text stays text in the reader's monospace font, stretched to the cells. There
 * are no scripts, links or requests.
 */
export async function* svgDocument(
  frames: AsyncIterable<SvgFrame>,
  { size, background, endMs }: SvgOptions,
): AsyncGenerator<string> {
  const { width, height } = size;
  yield `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
  yield `<style>text{font:${FONT_SIZE.toFixed(2)}px ${FONT_FAMILY};white-space:pre}.b{font-weight:bold}.i{font-style:italic}</style>`;
  yield `<rect width="100%" height="100%" fill="${background}"/><svg width="${width}" height="${height}"><g class="film">\n`;
  const starts: number[] = [];
  const known = new Map<string, number>();
  for await (const frame of frames) {
    yield frameGroup(frame, starts.length * width, known);
    starts.push(frame.atMs);
  }
  yield `</g></svg>${starts.length > 1 ? filmStyle(starts, width, endMs) : ""}</svg>\n`;
}

/** Returns a frame at `x`. New lines are defined first, at the top of the picture, and then placed like the known ones. */
function frameGroup({ picture, lineKeys }: SvgFrame, x: number, known: Map<string, number>): string {
  const placed: string[] = [];
  const defined: string[] = [];
  for (const [row, line] of picture.lines.entries()) {
    const content = svgLine(line);
    if (content === "") continue;
    const key = lineKeys[row] ?? "";
    const id = known.get(key) ?? known.size;
    if (!known.has(key)) defined.push(`<g id="l${id}">${content}</g>`);
    known.set(key, id);
    placed.push(`<use href="#l${id}" y="${MARGIN + row * CELL_HEIGHT}"/>`);
  }
  const definitions = defined.length === 0 ? "" : `<defs>${defined.join("")}</defs>`;
  return `${definitions}<g transform="translate(${x + MARGIN})">${placed.join("")}</g>\n`;
}

function filmStyle(starts: readonly number[], width: number, endMs: number): string {
  const totalMs = (starts.at(-1) ?? 0) + endMs;
  const steps = starts.map((atMs, index) => {
    const percent = index === 0 ? 0 : (100 * atMs) / totalMs;
    return `${percent.toFixed(4)}%{transform:translateX(-${index * width}px)}`;
  });
  const last = `100%{transform:translateX(-${(starts.length - 1) * width}px)}`;
  return `<style>.film{animation:film ${(totalMs / 1000).toFixed(3)}s step-end infinite}@keyframes film{${steps.join("")}${last}}</style>`;
}
