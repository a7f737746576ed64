import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { planCheckout } from "../../../src/triage/batch/session/index.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Creates a repository with three commits, of which the first is tagged. Returns their hashes, the oldest first. */
async function makeOrigin(directory: string): Promise<string[]> {
  await mkdir(directory);
  const git = async (...args: string[]): Promise<string> =>
    (
      await execa("git", ["-c", "user.name=a", "-c", "user.email=a@example.test", ...args], {
        cwd: directory,
      })
    ).stdout;
  await git("init", "-q", "-b", "main");
  const hashes: string[] = [];
  for (const text of ["one", "two", "three"]) {
    await writeFile(join(directory, "answer"), text);
    await git("add", "--all");
    await git("commit", "-q", "-m", text);
    hashes.push(await git("rev-parse", "HEAD"));
    if (text === "one") await git("tag", "v1");
    if (text === "two") await git("branch", "release/2.x");
  }
  return hashes;
}

test.each(["clone", "shallow"] as const)(
  "strategy %s checks out the newest commit, a branch, a tag, a commit and a shortened commit",
  async (strategy) => {
    await using directory = await temporaryDirectory();
    const origin = join(directory.path, "origin");
    const [, second = "", third = ""] = await makeOrigin(origin);
    const refs: readonly [ref: string | null, text: string][] = [
      [null, "three"],
      ["main", "three"],
      ["release/2.x", "two"],
      ["v1", "one"],
      [second, "two"],
      [second.slice(0, 10), "two"],
      [third, "three"],
    ];
    for (const [index, [ref, text]] of refs.entries()) {
      const settings = { url: null, ref, strategy, setup: ["cat answer"] } as const;
      const steps = planCheckout({ cloneFrom: origin, settings }, `work-${index}`);
      const script = steps.map(({ commandLine }) => commandLine).join(" && ");
      const { stdout } = await execa("bash", ["-c", script], { cwd: directory.path });
      expect([ref, stdout]).toEqual([ref, text]);
    }
  },
);

test.each(["clone", "shallow"] as const)(
  "strategy %s fails for an unknown ref, and git names it",
  async (strategy) => {
    await using directory = await temporaryDirectory();
    const origin = join(directory.path, "origin");
    await makeOrigin(origin);
    const settings = { url: null, ref: "nobody-knows-it", strategy, setup: [] } as const;
    const script = planCheckout({ cloneFrom: origin, settings }, "work")
      .map(({ commandLine }) => commandLine)
      .join(" && ");
    await expect(execa("bash", ["-c", script], { cwd: directory.path })).rejects.toThrow(
      "invalid reference: nobody-knows-it",
    );
  },
);
