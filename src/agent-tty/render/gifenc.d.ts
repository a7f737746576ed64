/**
 * The package has no types of its own; these are the parts that are used. Its other build is CommonJS whose default export
 * loaders disagree on (https://github.com/mattdesl/gifenc).
 */
declare module "gifenc/dist/gifenc.esm.js" {
  type PaletteColor = number[];

  interface FrameOptions {
    palette: PaletteColor[];
    /** Milliseconds; kept in hundredths of a second. */
    delay: number;
    /** 0 repeats for ever. */
    repeat?: number;
    /** 1 leaves the frame in place below the next. */
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
