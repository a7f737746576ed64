import type { LayerRequest } from "../controls/index.ts";

/** Checksums of files by their path below the root. */
export type Sums = Record<string, string>;

/** What the layer in a checkout knows. */
export interface LayerConfig extends Pick<
  LayerRequest,
  "root" | "files" | "answers" | "isDeaf" | "isListening" | "candidate" | "remembered"
> {
  readonly listens: boolean;
  /** Of the files with a layer, without those of the next property. */
  readonly sums: Sums;
  /** Of the ES modules with a layer, and of the files that hold their text. */
  readonly sumsOfModules: Sums;
}
