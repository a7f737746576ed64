import type { NamedAnswer } from "./named-answer.ts";

/** What afk-triage asks of the adapter of a language. */
export interface LayerRequest {
  /** The directory of the checkout, absolute. The paths of `files`, `manifests` and `programs` are relative to it. */
  readonly root: string;
  readonly files: readonly string[];
  readonly manifests: readonly string[];
  /** Files that the script may start as programs. */
  readonly programs: readonly string[];
  /** The file to which the layer appends what the product answered, one JSON document per line. */
  readonly answers: string;
  /** A random key of 16 bytes, in hex. */
  readonly token: string;
  readonly version: string;
  readonly isDeaf: boolean;
  /** Record which of the script's functions the product runs. */
  readonly isListening: boolean;
  /** Record what the product is called with, before it answers. Only where no verdict depends on the run. */
  readonly listens?: boolean;
  readonly candidate: NamedAnswer | null;
  /** The text of `answers` of an earlier run. */
  readonly remembered: string;
  /** The directory for the program that moves the clock; null: the clock stays. */
  readonly clock?: { readonly directory: string; readonly aheadMs: number } | null;
}
