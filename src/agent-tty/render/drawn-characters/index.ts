import { blockShapes } from "./block-elements.ts";
import { bracketShapes, boxShapes } from "./box-drawing.ts";
import { mosaicShapes } from "./mosaics.ts";
import { powerlineShapes } from "./powerline.ts";
import type { Shape } from "./shape.ts";

export type { Shape } from "./shape.ts";

/** Returns the shapes of a character that has to meet its neighbours' edges; null for all others, which a font draws. */
export function drawnCharacter(text: string): readonly Shape[] | null {
  const code = text.codePointAt(0) ?? 0;
  if (code < 0x23be || text.length !== String.fromCodePoint(code).length) return null;
  const known = cache.get(code);
  if (known !== undefined) return known;
  const shapes = shapesOf(code);
  if (shapes !== null) cache.set(code, shapes);
  return shapes;
}

/** Cannot grow beyond the number of characters in the ranges below. */
const cache = new Map<number, readonly Shape[]>();

function shapesOf(code: number): readonly Shape[] | null {
  if (code <= 0x23bf) return bracketShapes(code);
  if (code < 0x2500) return null;
  if (code <= 0x257f) return boxShapes(code);
  if (code <= 0x259f) return blockShapes(code);
  if ((code >= 0x2800 && code <= 0x28ff) || (code >= 0x1fb00 && code <= 0x1fb3b)) return mosaicShapes(code);
  if (code >= 0xe0b0 && code <= 0xe0b7) return powerlineShapes(code);
  return null;
}
