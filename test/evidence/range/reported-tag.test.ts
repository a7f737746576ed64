import { execa } from "execa";
import { expect, test } from "vitest";
import { reportedTag } from "../../../src/evidence/range/index.ts";
import { inPlace, makeRepository, SCRIPT } from "./answers-in-place.ts";

test("the report may name a prerelease (V5)", async () => {
  const tagged = ["v1.0.0", "v2.0.0-rc.1", "v2.0.0"].map((tag) => ({ answer: "wrong", tag }));
  const [named, expected] = await inPlace(
    (pristine) => makeRepository(pristine, tagged),
    async (shell, commit) => {
      const request = { texts: ["answers 2.0.0-rc.1"], productNames: ["answers"], script: SCRIPT };
      return [await reportedTag(request, shell), await commit("v2.0.0-rc.1^{}")];
    },
  );
  expect(named).toEqual({ version: "2.0.0-rc.1", commit: expected });
});

test("the commit of a tag of a tag is the commit that it leads to (V4, V5)", async () => {
  const [named, expected] = await inPlace(
    async (pristine) => {
      await makeRepository(pristine, [{ answer: "wrong", tag: "v1.0.0" }]);
      const identity = ["-c", "user.name=a", "-c", "user.email=a@example.test"];
      await execa("git", [...identity, "tag", "-f", "-a", "v1.0.0", "-m", "again", "v1.0.0"], {
        cwd: pristine,
      });
    },
    async (shell, commit) => {
      const request = { texts: ["answers 1.0.0"], productNames: ["answers"], script: SCRIPT };
      return [await reportedTag(request, shell), await commit("HEAD")];
    },
  );
  expect(named).toEqual({ version: "1.0.0", commit: expected });
});
