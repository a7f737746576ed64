import type { SKRSContext2D } from "@napi-rs/canvas";
import { OperationalError } from "../kit/index.ts";
import { cssFont, loadCanvas, type RenderErrorCode } from "./canvas.ts";
import {
  BASELINE,
  CELL_HEIGHT,
  CELL_WIDTH,
  FONT_SIZE,
  MARGIN,
  type PixelSize,
  pixelSize,
} from "./cell-size.ts";
import { drawnCharacter, type Shape } from "./drawn-characters/index.ts";
import type { Glyph, Picture, PictureLine } from "./picture.ts";
import { rulePath } from "./rule-path.ts";
import { chooseFont, type FontName } from "./fonts.ts";

/** Opaque pixels of four bytes each: red, green, blue, 255. */
export interface Raster extends PixelSize {
  pixels: Uint8ClampedArray;
}

/** Fallback faces are drawn at a size that fits two cells or the height of the cell. */
const FACE_SIZE: Readonly<Partial<Record<FontName, number>>> = { cjk: 17, emoji: 17, sans: 16, symbols: 16 };

/** How far above the baseline a glyph of size 0 would be placed. Half of the capital height keeps small glyphs centred. */
const SCALED_RISE = 6;

/**
 * Returns the picture, drawn at the top left of `size`, which is at least the picture's own size. Throws RENDERER_UNAVAILABLE or
 * PICTURE_TOO_LARGE.
 */
export function rasterize(picture: Picture, size: PixelSize = pixelSize(picture.cols, picture.rows)): Raster {
  return paint(picture, picture.lines, size, MARGIN);
}

/**
 * Returns only the lines from `from` up to `to`, drawn without a margin above and below; `width` is that of the whole picture, in
 * pixels.
 */
export function rasterizeLines(
  picture: Picture,
  { from, to, width }: { from: number; to: number; width: number },
): Raster {
  const size = { width, height: (to - from) * CELL_HEIGHT };
  return paint(picture, picture.lines.slice(from, to), size, 0);
}

/** Each pixel takes four bytes. A screen of 400 × 200 cells has 16 million. */
const MAX_PIXELS = 64_000_000;

function requireDrawable({ width, height }: PixelSize): void {
  if (width * height <= MAX_PIXELS) return;
  throw new OperationalError<RenderErrorCode>({
    code: "PICTURE_TOO_LARGE",
    message: `cannot draw a picture of ${width} × ${height} pixels: the limit is ${MAX_PIXELS} pixels`,
    remedy: "make the terminal smaller (agent-tty resize), or take a snapshot or an asciicast recording",
    details: { width, height },
  });
}

function paint(picture: Picture, lines: readonly PictureLine[], size: PixelSize, top: number): Raster {
  requireDrawable(size);
  const { createCanvas, Path2D } = loadCanvas();
  const context = createCanvas(size.width, size.height).getContext("2d");
  context.fillStyle = picture.background;
  context.fillRect(0, 0, size.width, size.height);
  for (const [row, line] of lines.entries()) {
    context.setTransform(1, 0, 0, 1, MARGIN, top + row * CELL_HEIGHT);
    for (const { col, span, color } of line.fills) {
      context.fillStyle = color;
      context.fillRect(col * CELL_WIDTH, 0, span * CELL_WIDTH, CELL_HEIGHT);
    }
    for (const glyph of line.glyphs) drawGlyph(context, glyph);
    for (const rule of line.rules) {
      const { path, lineWidth } = rulePath(rule);
      context.strokeStyle = rule.color;
      context.lineWidth = lineWidth;
      context.stroke(new Path2D(path));
    }
  }
  return { ...size, pixels: context.getImageData(0, 0, size.width, size.height).data };
}

function drawGlyph(context: SKRSContext2D, glyph: Glyph): void {
  const shapes = drawnCharacter(glyph.text);
  if (shapes !== null) return drawShapes(context, shapes, glyph);
  const font = chooseFont(glyph.text, glyph);
  if (font === null) return drawShapes(context, [MISSING], glyph);
  context.fillStyle = glyph.color;
  const size = FACE_SIZE[font] ?? FONT_SIZE;
  context.font = cssFont(font, size);
  const left = glyph.col * CELL_WIDTH;
  if (font.startsWith("mono") && glyph.span === 1) context.fillText(glyph.text, left, BASELINE);
  else drawFitted(context, glyph, font, size);
}

/** Draws text centred in its cells. Wider text is scaled down in both directions, so that circles stay round. */
function drawFitted(context: SKRSContext2D, { text, col, span }: Glyph, font: FontName, size: number): void {
  const room = span * CELL_WIDTH;
  const { width } = context.measureText(text);
  const scale = Math.min(1, room / width);
  if (scale < 1) context.font = cssFont(font, size * scale);
  const x = col * CELL_WIDTH + (room - width * scale) / 2;
  context.fillText(text, x, BASELINE - (1 - scale) * SCALED_RISE);
}

function drawShapes(context: SKRSContext2D, shapes: readonly Shape[], { col, color }: Glyph): void {
  const { Path2D } = loadCanvas();
  // Bound to another name, because a lint rule mistakes `context.fill` for the method of arrays.
  const fillPath = context.fill.bind(context);
  context.save();
  context.translate(col * CELL_WIDTH, 0);
  context.fillStyle = color;
  context.strokeStyle = color;
  for (const shape of shapes) {
    switch (shape.type) {
      case "rect":
        context.globalAlpha = shape.opacity;
        context.fillRect(shape.x, shape.y, shape.width, shape.height);
        break;
      case "fill":
        fillPath(new Path2D(shape.path));
        break;
      case "stroke":
        context.lineWidth = shape.lineWidth;
        context.stroke(new Path2D(shape.path));
        break;
      default:
        shape satisfies never;
    }
  }
  context.restore();
}

/** A hollow box for characters that no bundled font has. */
const MISSING: Shape = { type: "stroke", path: "M2.5 4.5H7.5V15.5H2.5Z", lineWidth: 1 };
