import { expect, test } from "vitest";
import {
  decideEvidence,
  type EvidenceSummary,
  evidenceSummary,
  type RunRecord,
} from "../../src/evidence/index.ts";
import { gradeRuns } from "../../src/evidence/decide/index.ts";
import { claim, run } from "./honest-runs.ts";

const real = [run("real", "got 1"), run("real", "got 1"), run("real", "got 1")];
const renumbered = run("renumbered", "got 1");
const gone = run("absent", "Cannot find module 'product'");

function graded(records: readonly RunRecord[]): EvidenceSummary {
  const verdict = decideEvidence({ claim, records, missing: null, callWithNothing: null, issueText: "" });
  return evidenceSummary(
    gradeRuns(claim, verdict, { records, missing: new Set(["broken"]), place: "fresh" }),
  );
}

test("a control that could not be made or was not needed is not counted (V7)", () => {
  expect(graded([...real, renumbered, gone])).toMatchObject({ runs: "3/3", controls: "0/2" });
  expect(graded([...real, run("absent", "got 1")])).toMatchObject({ controls: "1/1" });
});

test("a renumbered run that does not show the claim is not counted among the controls that show it (V7)", () => {
  const lost = run("renumbered", "fine", 0);
  expect(graded([run("real", "fine", 0), lost, gone])).toMatchObject({ runs: "0/1", controls: "0/2" });
  expect(graded([...real, lost, gone])).toMatchObject({ verdict: "vacuous", controls: "0/2" });
});
