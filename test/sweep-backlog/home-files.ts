import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { openStore } from "../../src/store/index.ts";
import { openSweptLibrary } from "../../src/sweep/index.ts";
import type { EmulatedGithub } from "../support/github/emulated-github.ts";
import type { FiledIssue } from "./backlog.ts";
import type { PlayedIssue } from "./score.ts";

/** An issue with its number on the emulated GitHub. */
export type Filed = FiledIssue & { number: number };

/** Writes the backlog's stored reproductions into a home. */
export async function storeReproductions(filed: readonly Filed[], home: string): Promise<void> {
  for (const { product, number, title, script, expect, isStored } of filed) {
    if (!isStored) continue;
    const folder = join(home, "reproductions", product.repo.replace("/", "__"));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const check = {
      at: "2026-01-01T00:00:00.000Z",
      runId: "20260101T000000Z",
      commit: null,
      verdict: "still-broken",
      matchedRuns: 3,
      runs: 3,
      evidence: null,
    };
    const stored = {
      schema: "afk-triage/reproduction@1",
      repo: product.repo,
      number,
      title,
      script,
      expect,
      signature: null,
      checks: [check],
    };
    await writeFile(join(folder, `${number}.json`), JSON.stringify(stored), { mode: 0o600 });
  }
}

/** Reads the result for every issue from GitHub and the home; `document` is the output of the last part of the sweep. */
export async function readPlayed(
  filed: readonly Filed[],
  github: EmulatedGithub,
  home: string,
  document: string,
): Promise<PlayedIssue[]> {
  const library = openSweptLibrary(join(home, "sweeps"), systemIds(systemClock));
  using store = await openStore({ path: join(home, "store.sqlite"), clock: systemClock });
  const skipped = skippedIn(document);
  const { signal } = new AbortController();
  const played: PlayedIssue[] = [];
  for (const one of filed) {
    const ref = { repo: one.product.repo, number: one.number };
    const comments = await github.reader.comments(ref, signal);
    const lookup = await github.reader.issue(ref, signal);
    const runs = store.runsOfIssue(ref.repo, ref.number, 100);
    const verdictRuns = runs.filter(
      ({ progress }) =>
        progress.phase === "settled" &&
        progress.end.status === "applied" &&
        progress.history.some(({ phase }) => phase === "verifying"),
    );
    played.push({
      number: one.number,
      filed: one,
      swept: await library.read(ref),
      skippedAs: skipped.get(`${ref.repo}#${ref.number}`) ?? null,
      comments: comments.length,
      isOpen: lookup.type === "found" && lookup.issue.state === "open",
      verdictRuns: verdictRuns.length,
    });
  }
  return played;
}

function skippedIn(document: string): Map<string, string> {
  const { issues = [] } = JSON.parse(document === "" ? "{}" : document) as {
    issues?: { repo: string; number: number; status: string; reason: string }[];
  };
  return new Map(
    issues.flatMap(({ repo, number, status, reason }) =>
      status === "applied" ? [] : [[`${repo}#${number}`, reason]],
    ),
  );
}
