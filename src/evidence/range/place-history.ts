import { shellQuote } from "agent-tty/kit";
import type { RangeHistory } from "./history.ts";
import { deepenCommand } from "./deepen.ts";
import type { ManifestName } from "./manifest-name.ts";
import { PRISTINE } from "../pipeline/index.ts";
import { ask, type PlaceShell } from "./place-shell.ts";

/** The maximum number of commits of one line that are searched, the newest ones. */
const MAX_COMMITS = 4_096;
const LIMIT_MS = 60_000;
const DEEPEN_LIMIT_MS = 5 * 60_000;
const COMMIT = /^[0-9a-f]{40,64}$/;

/**
 * Returns the history of a place's pristine checkout, which git reads. `readManifest` reads its manifest.
 *
 * Every query is a connection to the Coder workspace, so an answer that does not change during a search is requested once.
 */
export function placeHistory(
  readManifest: () => Promise<ManifestName | null>,
  shell: PlaceShell,
): RangeHistory {
  // Each answer needs the whole history. History that cannot be fetched counts as missing.
  const deepen = async (): Promise<{ isShallow: boolean }> => {
    const lines = [`cd ${PRISTINE} && ${deepenCommand}`, "git rev-parse --is-shallow-repository"];
    const answer = await ask(lines, shell, DEEPEN_LIMIT_MS);
    return { isShallow: answer?.stdout.trim() !== "false" };
  };
  let deepened: ReturnType<typeof deepen> | null = null;
  const git = async (...args: string[]): Promise<string[]> => {
    await (deepened ??= deepen());
    const line = ["git", "-C", PRISTINE, ...args].map(shellQuote).join(" ");
    const answer = await ask([line], shell, LIMIT_MS);
    return answer?.exitCode === 0 ? answer.stdout.split("\n").filter((text) => text !== "") : [];
  };
  const readTags = async (): Promise<{ name: string; commit: string }[]> => {
    // A tag that points to tag objects, one or several deep, has a second line, `<commit> refs/tags/<name>^{}`.
    const lines = await git("show-ref", "--tags", "--dereference");
    return [...new Map(lines.flatMap(readTag))].map(([name, commit]) => ({ name, commit }));
  };
  let tags: ReturnType<typeof readTags> | null = null;
  return {
    tags: async () => (tags ??= readTags()),
    tagsWith: async (commit) => git("tag", "--contains", commit),
    commits: async (older, newer) => {
      const range = older === null ? newer : `${older}..${newer}`;
      const lines = await git(
        "rev-list",
        "--first-parent",
        `--max-count=${MAX_COMMITS}`,
        "--reverse",
        "--parents",
        range,
        "--",
      );
      const { isShallow } = await (deepened ??= deepen());
      const rows = lines.map((line) => line.split(" ")).filter(([commit = ""]) => COMMIT.test(commit));
      const commits = rows.flatMap(([commit]) => commit ?? []);
      return { commits, before: rows[0]?.[1] ?? null, isShallow };
    },
    parents: async (commit) => {
      const [line = ""] = await git("rev-list", "--parents", "--max-count=1", commit, "--");
      return line.split(" ").filter((id, at) => at > 0 && COMMIT.test(id));
    },
    mergeBase: async (a, b) => (await git("merge-base", a, b)).find((line) => COMMIT.test(line)) ?? null,
    packageName: async () => (await readManifest())?.name ?? null,
  };
}

function readTag(line: string): [name: string, commit: string][] {
  const [, commit = "", name = ""] = /^([0-9a-f]{40,64}) refs\/tags\/(.+?)(?:\^\{\})?$/.exec(line) ?? [];
  return name === "" ? [] : [[name, commit]];
}
