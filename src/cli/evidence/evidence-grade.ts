import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runDirectory } from "../../triage/index.ts";
import type { IssueRef } from "../../github/index.ts";
import { verificationDocument } from "./verification-document.ts";
import { runsDirectory } from "../config/index.ts";

/** Grade of a Triage Run's evidence in words; null: no reproduction was run, or what was kept cannot be read. */
export async function evidenceGrade(home: string, runId: string, ref: IssueRef): Promise<string | null> {
  const path = join(runDirectory(runsDirectory(home), runId, ref), "verification.json");
  const text = await readFile(path, "utf8").catch(() => null);
  const kept = verificationDocument(text);
  if (kept === null) return null;
  const matched = `${kept.runs.filter(({ matched: isMatch }) => isMatch).length} of ${kept.runs.length} runs`;
  switch (kept.verdict) {
    case "not-attempted":
      return null;
    case "impossible":
      return "evidence: could not be run";
    case "reproduced":
      return `evidence: verified, ${matched}`;
    case "flaky":
      return `evidence: flaky, ${matched}`;
    case "already-fixed":
      return "evidence: verified, fixed already";
    case "not-reproduced":
      return `evidence: not reproduced, ${matched}`;
    default:
      return kept.verdict satisfies never;
  }
}
