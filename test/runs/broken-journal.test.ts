import { expect, test } from "vitest";
import { ownerFixture } from "./owner-fixture.ts";

test("if the journal fails, the run continues unrecorded, and the next change writes everything (C8)", () => {
  let isBroken = true;
  const written: unknown[] = [];
  const { owner, unsaved } = ownerFixture({
    saveRun: (facts) => {
      if (isBroken) throw new Error("disk full");
      written.push(facts);
    },
  });
  owner.admit();
  expect(owner.facts.runState.state).toBe("running");
  expect(unsaved).toEqual([new Error("disk full")]);
  isBroken = false;
  owner.reportFinal();
  expect(written).toEqual([owner.facts]);
});

test("if the end of a run cannot be written, it is written with the summary (C8)", () => {
  let isBroken = true;
  const written: unknown[] = [];
  const { owner, service } = ownerFixture({
    saveRun: (facts) => {
      if (isBroken) throw new Error("disk full");
      written.push(facts);
    },
  });
  const end = { status: "skipped", reason: "stopped" } as const;
  owner.lifecycle.report({ type: "run-settled", end, atMs: 1 });
  isBroken = false;
  service.saveAgain();
  expect(owner.isEnded).toBe(true);
  expect(written).toEqual([owner.facts]);
});
