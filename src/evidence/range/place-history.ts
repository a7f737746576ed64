import { shellQuote } from "../../workspaces/index.ts";
import type { RangeHistory } from "./history.ts";
import { deepenCommand } from "./deepen.ts";
import { manifestName } from "./manifest-name.ts";
import { PRISTINE } from "../pipeline/index.ts";
import { ask, type PlaceShell } from "./place-shell.ts";

/** At most this many commits of one line are searched; older ones are not. */
const MAX_COMMITS = 4_096;
const LIMIT_MS = 60_000;
const DEEPEN_LIMIT_MS = 5 * 60_000;
const COMMIT = /^[0-9a-f]{40,64}$/;

/** Reads the history of a place's pristine checkout with git. `script` decides which of several packages the search is about. */
export function placeHistory(script: string, shell: PlaceShell): RangeHistory {
  let deepened: Promise<unknown> | null = null;
  const git = async (...args: string[]): Promise<string[]> => {
    // Each answer needs the whole history. History that cannot be fetched counts as missing.
    await (deepened ??= ask([`cd ${PRISTINE} && ${deepenCommand}`], shell, DEEPEN_LIMIT_MS));
    const line = ["git", "-C", PRISTINE, ...args].map(shellQuote).join(" ");
    const answer = await ask([line], shell, LIMIT_MS);
    return answer?.exitCode === 0 ? answer.stdout.split("\n").filter((text) => text !== "") : [];
  };
  return {
    tags: async () => {
      // A tag that points to tag objects, one or several deep, has a second line, `<commit> refs/tags/<name>^{}`.
      const lines = await git("show-ref", "--tags", "--dereference");
      return [...new Map(lines.flatMap(readTag))].map(([name, commit]) => ({ name, commit }));
    },
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
      const [shallow] = await git("rev-parse", "--is-shallow-repository");
      const rows = lines.map((line) => line.split(" ")).filter(([commit = ""]) => COMMIT.test(commit));
      const commits = rows.flatMap(([commit]) => commit ?? []);
      return { commits, before: rows[0]?.[1] ?? null, isShallow: shallow !== "false" };
    },
    parents: async (commit) => {
      const [line = ""] = await git("rev-list", "--parents", "--max-count=1", commit, "--");
      return line.split(" ").filter((id, at) => at > 0 && COMMIT.test(id));
    },
    mergeBase: async (a, b) => (await git("merge-base", a, b)).find((line) => COMMIT.test(line)) ?? null,
    packageName: async () => (await manifestName(script, shell))?.name ?? null,
  };
}

function readTag(line: string): [name: string, commit: string][] {
  const [, commit = "", name = ""] = /^([0-9a-f]{40,64}) refs\/tags\/(.+?)(?:\^\{\})?$/.exec(line) ?? [];
  return name === "" ? [] : [[name, commit]];
}
