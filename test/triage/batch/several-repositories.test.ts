import { expect, test } from "vitest";
import type { GithubReader, GithubWriter, IssueRef, RepositoryName } from "../../../src/github/index.ts";
import { openBatchStage } from "../../support/batch/batch-stage.ts";
import { askingAgent } from "../../support/batch/in-process-agent.ts";
import { createFakeGithub } from "../../support/github/fake-github.ts";

const never = new AbortController().signal;
const REPOS = ["octo/widgets", "acme/gadgets"] as const;
const ISSUES = 3;

type Verb = (...given: readonly unknown[]) => unknown;

/** A port over several repositories, each with a GitHub of its own. Calls that name no repository go to the first one. */
function joined<Port extends GithubReader | GithubWriter>(ports: ReadonlyMap<string, Port>): Port {
  const [first] = ports.values();
  const verbs = Object.keys(first ?? {}).map((verb): [string, Verb] => [
    verb,
    (...given) => {
      const [target] = given as [RepositoryName | IssueRef | AbortSignal];
      const repo =
        target instanceof AbortSignal ? REPOS[0] : typeof target === "string" ? target : target.repo;
      return (ports.get(repo) as unknown as Record<string, Verb>)[verb]?.(...given);
    },
  ]);
  return Object.fromEntries(verbs) as unknown as Port;
}

test("two parents with a shard each triage every issue of two repositories exactly once (T14)", async () => {
  await using one = await openBatchStage();
  await using other = await openBatchStage();
  const worlds = REPOS.map((repo) => createFakeGithub({ clock: one.ports.clock, repo }));
  for (const world of worlds)
    for (let index = 0; index < ISSUES; index += 1)
      await world.createIssue({ title: `issue ${index}`, labels: ["needs-triage"] });

  const worked: string[] = [];
  const shardRun = (stage: typeof one, index: number) =>
    stage.run({
      settings: { repos: [...REPOS], shard: { index, count: 2 }, checkout: one.settings.checkout },
      ports: {
        reader: joined(new Map(worlds.map((world) => [world.repo, world.reader]))),
        writer: joined(new Map(worlds.map((world) => [world.repo, world.writer]))),
        // Both parents take their locks from the same provider.
        provider: one.ports.provider,
        triageAgent: askingAgent((number) => void worked.push(`${index}: ${number}`)),
      },
    });
  const summaries = await Promise.all([shardRun(one, 1), shardRun(other, 2)]);

  const wanted = REPOS.flatMap((repo) =>
    Array.from({ length: ISSUES }, (_, index) => `${repo}#${index + 1}`),
  );
  const applied = summaries.map(({ issues }) =>
    issues.filter(({ status }) => status === "applied").map(({ repo, number }) => `${repo}#${number}`),
  );
  expect(applied.flat().toSorted()).toEqual(wanted.toSorted());
  for (const shard of applied) expect(shard.length).toBeGreaterThan(0);
  expect(worked).toHaveLength(wanted.length);
  for (const world of worlds)
    for (let number = 1; number <= ISSUES; number += 1)
      expect(await world.reader.comments({ repo: world.repo, number }, never)).toHaveLength(1);
  expect((await one.left()).workspaces).toEqual([]);
});
