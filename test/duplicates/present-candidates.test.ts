import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  type IssueText,
  offerForIndexed,
  openIssueIndex,
  presentCandidates,
} from "../../src/duplicates/index.ts";
import { createFakeGithub } from "../support/github/fake-github.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const { signal } = new AbortController();

test("candidates are shown with their current GitHub state; deleted or moved issues are omitted and removed from the index (D1, D2)", async () => {
  await using home = await temporaryDirectory();
  const github = createFakeGithub({ clock: systemClock });
  const index = await openIssueIndex(join(home.path, "index.sqlite"), systemClock);
  try {
    for (const at of [1, 2, 3, 4]) {
      const { number } = await github.createIssue({ title: `Crash on an empty file ${at}` });
      const text: IssueText = {
        number,
        title: `Crash on an empty file ${at}`,
        body: "",
        createdMs: number * 1_000,
        state: "open",
        reporter: null,
      };
      index.put([text]);
    }
    const { repo } = github;
    github.remove({ repo, number: 1 }, "transferred");
    github.remove({ repo, number: 2 }, "deleted");
    await github.setState({ repo, number: 3 }, github.viewerLogin, "closed");
    const likely = offerForIndexed(index, 4, 10) ?? [];
    expect(likely).toHaveLength(3);
    const present = await presentCandidates(likely, { index, repo, reader: github.reader, limit: 2, signal });
    expect(present).toMatchObject([{ number: 3, state: "closed" }]);
    expect([index.find(1), index.find(2), index.size()]).toEqual([null, null, 2]);
  } finally {
    index.close();
  }
});
