import { createVirtualClock } from "agent-tty/testing";
import type { GithubReader, Person, RepositoryPermission, TimelineFact } from "../../../src/github/index.ts";
import type { BatchTrust } from "../../../src/triage/batch/batch-trust.ts";
import { observeOutcomes } from "../../../src/triage/batch/trust/index.ts";
import { defaultLabelNames } from "../../../src/triage/labels.ts";
import type { TrustFact } from "../../../src/trust/index.ts";
import { BEGIN_MS, decidedFact } from "../../trust/decided-fact.ts";

export const DAY_MS = 24 * 3_600_000;
export const NOW_MS = BEGIN_MS + 80 * DAY_MS;
export const REPO = "o/r";

export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/**
 * Observes outcomes in `batches` batches and returns the facts; `busy` returns the issues that a batch works on. `permission`:
 * everybody's but the stranger's.
 */
export async function observe(
  reader: GithubReader,
  given: readonly TrustFact[],
  batches: number,
  busy: (batch: number) => number[] = () => [],
  permission: RepositoryPermission = "write",
): Promise<TrustFact[]> {
  const facts = [...given];
  const trust = {
    facts: () => facts,
    record: (fact: TrustFact) => void (facts.some(({ key }) => key === fact.key) || facts.push(fact)),
    permission: (_: string, { login }: Person) => Promise.resolve(login === "stranger" ? "read" : permission),
  } as unknown as BatchTrust;
  const clock = { ...createVirtualClock(), nowMs: () => NOW_MS };
  for (let batch = 0; batch < batches; batch += 1)
    await observeOutcomes(REPO, new Set(busy(batch)), {
      runId: `batch${batch}`,
      trust,
      viewer: { id: 1, login: "bot", isBot: true },
      settings: { labels: defaultLabelNames },
      ports: { reader, clock },
      stop: new AbortController().signal,
    });
  return facts;
}

/** The reader, and how often it was asked what changed. */
export function counted(reader: GithubReader): { reader: GithubReader; listings: () => number } {
  let listings = 0;
  const updatedIssues: GithubReader["updatedIssues"] = (...asked) => {
    listings += 1;
    return reader.updatedIssues(...asked);
  };
  return { reader: { ...reader, updatedIssues }, listings: () => listings };
}

/** An outcome of issue 2 of which there are several. */
export function outcomeOf(
  runId: string,
  daysAgo: number,
  detail: Parameters<typeof decidedFact>[1] = {},
): TrustFact {
  const place = { repo: REPO, runId, atMs: NOW_MS - daysAgo * DAY_MS };
  return { ...decidedFact(2, detail, place), key: `decided:${runId}` };
}

/** Issue 2, changed `daysAgo`, with what its reporter said and did. */
export function replacedIssue(timeline: TimelineFact[], rest: Partial<GithubReader> = {}) {
  const author = { id: 9, login: "reporter", isBot: false };
  const issue = { ref: { repo: REPO, number: 2 }, updatedAt: isoSeconds(NOW_MS - 77 * DAY_MS), author };
  return counted({
    updatedIssues: () => Promise.resolve([issue]),
    timeline: () => Promise.resolve(timeline),
    comments: () => Promise.resolve([]),
    ...rest,
  } as unknown as GithubReader);
}

export const typesOf = (facts: readonly TrustFact[]): [string, string][] =>
  facts.flatMap(({ type, runId }) =>
    type === "decided" || type === "looked" ? [] : [[type, runId] as [string, string]],
  );
