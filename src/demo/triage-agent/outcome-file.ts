import { renameSync, writeFileSync } from "node:fs";
import type { Outcome } from "../../triage/index.ts";

/** All or nothing: whoever reads the file never sees half of it. */
export function writeOutcomeFile(path: string, outcome: Outcome): void {
  const partial = `${path}.partial`;
  writeFileSync(partial, `${JSON.stringify(outcome, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, path);
}
