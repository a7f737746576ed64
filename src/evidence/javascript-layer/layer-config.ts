import type { LayerRequest } from "../controls/index.ts";

/** Checksums of files by their path below the root. */
export type Sums = Record<string, string>;

/** The data that the layer in a checkout reads. */
export interface LayerConfig extends Pick<
  LayerRequest,
  "root" | "files" | "answers" | "isDeaf" | "isListening" | "candidate" | "remembered"
> {
  readonly recordsArguments: boolean;
  /** The checksums of the files with a layer, except ES modules. */
  readonly sums: Sums;
  /** The checksums of the ES modules with a layer, and of the files to which their text was moved. */
  readonly sumsOfModules: Sums;
}
