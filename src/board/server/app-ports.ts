import type { AccessRules } from "./access.ts";
import type { BoardSource } from "./board-source.ts";
import type { ChangeHub } from "./change-hub.ts";
import type { BoardLimits } from "./limits.ts";
import type { PageFile } from "./page-files.ts";
import type { Readers } from "./readers.ts";

/** The ports with which the board answers requests. */
export interface AppPorts {
  source: BoardSource;
  hub: ChangeHub;
  changeReaders: Readers;
  rules: AccessRules;
  limits: BoardLimits;
  pageFiles: ReadonlyMap<string, PageFile>;
  version: string;
  nonce: () => string;
  /** null: the board has no view of sweeps. */
  sweepPage: ((nonce: string) => Promise<string>) | null;
  redact: (text: string) => string;
  onFailure: (error: unknown) => void;
}
