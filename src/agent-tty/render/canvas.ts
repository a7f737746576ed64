import { createRequire } from "node:module";
import { messageOf, OperationalError } from "../kit/index.ts";
import { type FontName, fontPath } from "./fonts.ts";

export type RenderErrorCode = "RENDERER_UNAVAILABLE" | "PICTURE_TOO_LARGE";

type CanvasLibrary = typeof import("@napi-rs/canvas");

const SKIP_SYSTEM_FONTS = "DISABLE_SYSTEM_FONTS_LOAD";

const registered = new Set<FontName>();
let library: CanvasLibrary | null = null;

/**
 * Returns the native rasteriser, loaded when the first picture is drawn. It takes 34 MB, so it is an optional peer dependency.
 * Throws RENDERER_UNAVAILABLE.
 */
export function loadCanvas(): CanvasLibrary {
  library ??= withoutSystemFonts(() => {
    try {
      return createRequire(import.meta.url)("@napi-rs/canvas") as CanvasLibrary;
    } catch (error) {
      throw new OperationalError<RenderErrorCode>({
        code: "RENDERER_UNAVAILABLE",
        message: `cannot load the rasteriser @napi-rs/canvas on ${process.platform} ${process.arch}: ${messageOf(error)}`,
        remedy:
          "install it beside afk-triage (npm install @napi-rs/canvas@1.0.11, with --global for a global installation), or export an asciicast, svg or html recording, which need no rasteriser",
        cause: error,
      });
    }
  });
  return library;
}

/** Returns the CSS font of a bundled face. A font file is read on first use, because most screens need only one. */
export function cssFont(name: FontName, sizePixels: number): string {
  const family = `agent-tty ${name}`;
  if (!registered.has(name)) {
    const key = loadCanvas().GlobalFonts.registerFromPath(fontPath(name), family);
    if (key === null) throw new Error(`the bundled font ${fontPath(name)} cannot be read`);
    registered.add(name);
  }
  return `${sizePixels}px "${family}"`;
}

/**
 * Runs `load` without system fonts, which cost time and are never used. The library reads this environment variable only once,
 * while it is loaded.
 */
function withoutSystemFonts<Result>(load: () => Result): Result {
  const before = process.env[SKIP_SYSTEM_FONTS];
  process.env[SKIP_SYSTEM_FONTS] = "1";
  try {
    return load();
  } finally {
    if (before === undefined) delete process.env[SKIP_SYSTEM_FONTS];
    else process.env[SKIP_SYSTEM_FONTS] = before;
  }
}
