import type { ProbeResult, RangePorts } from "../../../src/evidence/index.ts";

type State = "bad" | "good" | "untestable";

export interface FakeCommit {
  id: string;
  state: State;
  parent: string | null;
  /** The second parent of a merge. */
  merged?: string;
  tags?: readonly string[];
}

interface FakeOptions {
  published?: Readonly<Record<string, State>>;
  probeMs?: number;
  /** The states of the commits in all runs but the first, if they differ. */
  later?: Readonly<Record<string, State>>;
  /** The history before the first commit is missing. */
  isShallow?: boolean;
  /** At most this many commits of one line are known. */
  maxCommits?: number;
  /** The name in the manifest. */
  packageName?: string;
  /** How the script fails at a commit, where the claim names no text. */
  failures?: Readonly<Record<string, string>>;
}

/** A git history in memory; each run of the script takes `probeMs` of its clock. */
export function fakeRepository(
  commits: readonly FakeCommit[],
  {
    published = {},
    probeMs = 1,
    maxCommits = Infinity,
    isShallow = false,
    later = {},
    packageName = "product",
    failures = {},
  }: FakeOptions = {},
): { ports: Omit<RangePorts, "signal">; probed: string[] } {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const probed: string[] = [];
  let nowMs = 0;
  const lineOf = (id: string | null): string[] =>
    id === null ? [] : [...lineOf(byId.get(id)?.parent ?? null), id];
  const historyOf = (id: string | null | undefined): Set<string> => {
    const commit = byId.get(id ?? "");
    if (commit === undefined) return new Set();
    return new Set([...historyOf(commit.parent), ...historyOf(commit.merged), commit.id]);
  };
  const run = (name: string, first: State | undefined): ProbeResult => {
    const isLater = probed.includes(name);
    probed.push(name);
    nowMs += probeMs;
    const state = isLater ? (later[name] ?? first) : first;
    if (state === "bad") return { type: state, failure: failures[name] ?? null };
    if (state === "good") return { type: state };
    return { type: "untestable", reason: "The script ended with exit code 127." };
  };
  const tagsOf = (some: readonly FakeCommit[]): { name: string; commit: string }[] =>
    some.flatMap(({ id, tags = [] }) => tags.map((name) => ({ name, commit: id })));
  const ports = {
    history: {
      tags: async () => tagsOf(commits),
      tagsWith: async (commit: string) =>
        tagsOf(commits.filter(({ id }) => historyOf(id).has(commit))).map(({ name }) => name),
      commits: async (older: string | null, newer: string) => {
        const line = lineOf(newer);
        const before = historyOf(older);
        const all = line.filter((id) => !before.has(id));
        const listed = all.slice(-maxCommits);
        return { commits: listed, before: byId.get(listed[0] ?? "")?.parent ?? null, isShallow };
      },
      parents: async (id: string) => {
        const { parent = null, merged } = byId.get(id) ?? {};
        return [parent, merged].filter((one) => typeof one === "string");
      },
      mergeBase: async (a: string, b: string) => {
        const other = historyOf(b);
        return [...historyOf(a)].findLast((id) => other.has(id)) ?? null;
      },
      packageName: async () => packageName,
    },
    registry: {
      published: async () => ({
        type: "listed" as const,
        versions: Object.keys(published),
      }),
      probe: async (version: string) => run(version, published[version]),
    },
    probe: async (commit: string) => run(commit, byId.get(commit)?.state),
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } as RangePorts["clock"],
  };
  return { ports, probed };
}

/** Returns a linear history: `good:v1.0.0 bad bad:v1.1.0`, with ids c0, c1, c2 … */
export function straight(text: string): FakeCommit[] {
  return text.split(" ").map((word, index) => {
    const [state = "", tag] = word.split(":");
    const parent = index === 0 ? null : `c${index - 1}`;
    return { id: `c${index}`, state: state as State, parent, tags: tag === undefined ? [] : [tag] };
  });
}
