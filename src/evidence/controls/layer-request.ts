import type { NamedAnswer } from "./named-answer.ts";

/** A request to the adapter of a language. */
export interface LayerRequest {
  /** The directory of the checkout, absolute. The paths of `files`, `manifests` and `programs` are relative to it. */
  readonly root: string;
  readonly files: readonly string[];
  readonly manifests: readonly string[];
  /** Files that the script may start as programs. */
  readonly programs: readonly string[];
  /** The file to which the layer appends the product's answers, one JSON document per line. */
  readonly answers: string;
  /** A random key of 16 bytes, in hex. */
  readonly token: string;
  readonly version: string;
  readonly isDeaf: boolean;
  /** Record which of the script's functions the product runs. */
  readonly isListening: boolean;
  /** Record the arguments of each call before the product answers. Set only if no verdict depends on the run. */
  readonly recordsArguments?: boolean;
  readonly candidate: NamedAnswer | null;
  /** The text of `answers` of an earlier run. */
  readonly remembered: string;
  /** The directory for the program that moves the clock; null: the clock is not moved. */
  readonly clock?: { readonly directory: string; readonly aheadMs: number } | null;
}
