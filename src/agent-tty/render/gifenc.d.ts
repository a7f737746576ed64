/** The package has no types of its own; these are the parts that are used (https://github.com/mattdesl/gifenc). */
declare module "gifenc" {
  type PaletteColor = number[];

  interface FrameOptions {
    palette: PaletteColor[];
    /** Milliseconds; kept in hundredths of a second. */
    delay: number;
    /** 0 repeats for ever. */
    repeat?: number;
    transparent?: boolean;
    transparentIndex?: number;
    /** 1 leaves the frame in place below the next. */
    dispose?: number;
  }

  interface Encoder {
    writeFrame(indexes: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytesView(): Uint8Array;
    stream: { reset(): void };
  }

  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(pixels: Uint8ClampedArray, maxColors: number): PaletteColor[];
    applyPalette(pixels: Uint8ClampedArray, palette: PaletteColor[]): Uint8Array;
  };
  export default gifenc;
}
