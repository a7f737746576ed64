import { BASELINE, CELL_HEIGHT, CELL_WIDTH } from "./cell-size.ts";
import { drawnCharacter, type Shape } from "./drawn-characters/index.ts";
import type { Fill, Glyph, PictureLine, Rule } from "./picture.ts";
import { rulePath } from "./rule-path.ts";

const ASCII = /^[\x21-\x7e]$/;
/** Characters that XML cannot contain: controls, lone surrogates, non-characters. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
/** Words of the same style that are at most this many cells apart become one text. */
const LONGEST_GAP = 3;

/** Returns one line of a picture as SVG elements; empty if nothing is drawn. */
export function svgLine(line: PictureLine): string {
  return [...line.fills.map(fill), ...textRuns(line.glyphs).map(text), ...line.rules.map(rule)].join("");
}

function fill({ col, span, color }: Fill): string {
  return `<rect x="${col * CELL_WIDTH}" width="${span * CELL_WIDTH}" height="${CELL_HEIGHT}" fill="${color}"/>`;
}

function rule(drawn: Rule): string {
  const { path, lineWidth } = rulePath(drawn);
  return `<path d="${path}" fill="none" stroke="${drawn.color}" stroke-width="${lineWidth}"/>`;
}

/**
 * Returns the texts of a line. Plain words of one style are joined into one text; every other character is placed in its own
 * cells.
 */
function textRuns(glyphs: readonly Glyph[]): Glyph[] {
  const runs: Glyph[] = [];
  for (const glyph of glyphs) {
    const last = runs.at(-1);
    const gap = last === undefined ? -1 : glyph.col - last.col - last.span;
    if (last !== undefined && gap >= 0 && gap <= LONGEST_GAP && canJoin(last, glyph)) {
      last.text += " ".repeat(gap) + glyph.text;
      last.span += gap + glyph.span;
    } else runs.push({ ...glyph });
  }
  return runs;
}

function canJoin(run: Glyph, next: Glyph): boolean {
  const looksAlike = run.color === next.color && run.bold === next.bold && run.italic === next.italic;
  return looksAlike && ASCII.test(next.text) && ASCII.test(run.text.slice(0, 1));
}

function text(run: Glyph): string {
  const shapes = drawnCharacter(run.text);
  if (shapes !== null) return shapesGroup(run, shapes);
  const style = `${run.bold ? "b" : ""}${run.italic ? (run.bold ? " i" : "i") : ""}`;
  const width = run.span * CELL_WIDTH;
  // A single character is not stretched to its cells, because that would distort it.
  const fit = run.text.length === 1 ? "" : ` textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
  const classes = style === "" ? "" : ` class="${style}"`;
  return `<text x="${run.col * CELL_WIDTH}" y="${BASELINE}"${fit}${classes} fill="${run.color}">${escapeXml(run.text)}</text>`;
}

function shapesGroup({ col, color }: Glyph, shapes: readonly Shape[]): string {
  return `<g transform="translate(${col * CELL_WIDTH})" fill="${color}">${shapes.map((shape) => svgShape(shape, color)).join("")}</g>`;
}

function svgShape(shape: Shape, color: string): string {
  switch (shape.type) {
    case "rect": {
      const opacity = shape.opacity === 1 ? "" : ` opacity="${shape.opacity}"`;
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}"${opacity}/>`;
    }
    case "fill":
      return `<path d="${shape.path}"/>`;
    case "stroke":
      return `<path d="${shape.path}" fill="none" stroke="${color}" stroke-width="${shape.lineWidth}"/>`;
    default:
      return shape satisfies never;
  }
}

function escapeXml(value: string): string {
  return value
    .replace(NOT_XML, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
