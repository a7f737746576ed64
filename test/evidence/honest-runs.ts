import {
  decideEvidence,
  type EvidenceFacts,
  type RunKind,
  type RunRecord,
  type Verdict,
} from "../../src/evidence/index.ts";

export const claim = { expect: { exitCode: 1, outputContains: "got" } };

export function run(kind: RunKind, output: string, exitCode = 1, change: Partial<RunRecord> = {}): RunRecord {
  return {
    kind,
    answers: null,
    order: 0,
    alone: true,
    end: { type: "exited", exitCode },
    output,
    outputHash: "",
    durationMs: 1,
    changes: [],
    screenHash: "",
    ...change,
  };
}

export const real = [run("real", "got 1 for 2"), run("real", "got 1 for 2"), run("real", "got 1 for 2")];
export const renumbered = run("renumbered", "got 1 for 2");
export const gone = run("absent", "Cannot find module 'product'");
export const broken = run("broken", "SyntaxError");
export const deaf = run("deaf", "", 0);
/** The runs of an honest script: the claim shows with the whole product and nowhere else. */
export const honest = [...real, renumbered, gone, broken, deaf];

export function decided(records: readonly RunRecord[], change: Partial<EvidenceFacts> = {}): Verdict {
  return decideEvidence({ claim, records, missing: null, callWithNothing: null, issueText: "", ...change });
}
