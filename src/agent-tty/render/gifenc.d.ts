/**
 * The package has no types; these are for the parts that are used. The package's other build is CommonJS, and loaders disagree on
 * its default export (https://github.com/mattdesl/gifenc).
 */
declare module "gifenc/dist/gifenc.esm.js" {
  type PaletteColor = number[];

  interface FrameOptions {
    palette: PaletteColor[];
    /** Milliseconds; stored in hundredths of a second. */
    delay: number;
    /** 0: repeats forever. */
    repeat?: number;
    /** 1: leaves the frame in place below the next. */
    dispose?: number;
  }

  interface Encoder {
    writeFrame(indexes: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytesView(): Uint8Array;
    stream: { reset(): void };
  }

  export function GIFEncoder(): Encoder;
  export function quantize(pixels: Uint8ClampedArray, maxColors: number): PaletteColor[];
  export function applyPalette(pixels: Uint8ClampedArray, palette: PaletteColor[]): Uint8Array;
}
