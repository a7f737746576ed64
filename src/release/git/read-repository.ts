import { OperationalError } from "agent-tty/kit";
import type { RawCommit } from "../read-commits.ts";
import type { ReleaseErrorCode } from "../release-error.ts";
import { versionOfTag } from "../release-tag.ts";
import { type Git, gitFailed } from "./git-command.ts";

/** The current state of the user's checkout. */
export interface CheckoutFacts {
  /** null if HEAD is detached. */
  branch: string | null;
  commit: string;
  /** Changed, staged and untracked files. */
  changedPaths: string[];
  isShallow: boolean;
}

export interface RemoteFacts {
  name: string;
  url: string;
  defaultBranch: string;
  /** The head of the default branch. */
  commit: string;
  /** The commit of each branch. */
  branches: ReadonlyMap<string, string>;
  tags: ReadonlyMap<string, TagFacts>;
}

export interface TagFacts {
  /** The commit, not the tag object. */
  commit: string;
  isAnnotated: boolean;
}

const MAX_COMMITS = 10_000;

/** Returns the root of the checkout that contains the directory. Rejects with RELEASE_NOT_IN_A_CHECKOUT or RELEASE_GIT_FAILED. */
export async function repositoryRoot(git: Git): Promise<string> {
  const asked = ["rev-parse", "--show-toplevel"];
  const answer = await git.ask(asked);
  if (answer.exitCode === 0) return answer.stdout;
  if (!answer.stderr.includes("not a git repository")) throw gitFailed(asked, answer);
  throw new OperationalError<ReleaseErrorCode>({
    code: "RELEASE_NOT_IN_A_CHECKOUT",
    message: `find the repository of the current directory: ${git.directory} is not in a git checkout`,
    remedy: "Run it in a checkout of the repository.",
  });
}

/** Returns the one directory that all checkouts of the repository share. */
export function commonDirectory(git: Git): Promise<string> {
  return git.text(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
}

/** Returns the checkout's branch (null if HEAD is detached), commit and changed paths, and whether its history is shallow. */
export async function readCheckout(git: Git): Promise<CheckoutFacts> {
  const isShallow = (await git.text(["rev-parse", "--is-shallow-repository"])) === "true";
  const status = await git.text(["status", "--porcelain=v2", "--branch", "--no-renames", "-z"]);
  const records = nulSeparated(status);
  const head = (name: string): string =>
    records.find((record) => record.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length) ?? "";
  const branch = head("head");
  return {
    branch: branch === "(detached)" ? null : branch,
    commit: head("oid"),
    // The path is the last field: the second for an untracked file, the eleventh for an unmerged one, else the ninth.
    changedPaths: records.flatMap((record) => {
      const fields = { "?": 1, u: 10, "1": 8 }[record.charAt(0)];
      return fields === undefined ? [] : [record.split(" ").slice(fields).join(" ")];
    }),
    isShallow,
  };
}

/** Returns the refs of the remote, read from the remote itself. Rejects with RELEASE_REMOTE_UNUSABLE. */
async function readRemote(git: Git, name: string): Promise<RemoteFacts> {
  const unusable = (seen: string): OperationalError<ReleaseErrorCode> =>
    new OperationalError({
      code: "RELEASE_REMOTE_UNUSABLE",
      message: `ask the remote ${name}: ${seen}`,
      remedy: "Check `git remote -v` and your access, or name another with --remote.",
    });
  const url = await git.ask(["remote", "get-url", name]);
  if (url.exitCode !== 0) throw unusable("there is no such remote");
  const args = ["ls-remote", "--symref", name];
  const answer = await git.ask(args);
  if (answer.exitCode !== 0) throw unusable(gitFailed(args, answer).message);
  const branches = new Map<string, string>();
  const tags = new Map<string, TagFacts>();
  let defaultBranch: string | null = null;
  for (const line of answer.stdout.split("\n")) {
    defaultBranch = /^ref: refs\/heads\/(\S+)\tHEAD$/.exec(line)?.[1] ?? defaultBranch;
    const [, commit = "", kind, ref = "", peeled] =
      /^([0-9a-f]+)\trefs\/(heads|tags)\/(\S+?)(\^\{\})?$/.exec(line) ?? [];
    // The line of an annotated tag's commit follows the line of its tag object.
    if (kind === "heads") branches.set(ref, commit);
    if (kind === "tags") tags.set(ref, { commit, isAnnotated: peeled !== undefined });
  }
  const commit = branches.get(defaultBranch ?? "");
  if (defaultBranch === null || commit === undefined)
    throw unusable(
      `it has no default branch with a commit (its HEAD is ${defaultBranch ?? "none of its branches"})`,
    );
  return { name, url: url.stdout, defaultBranch, commit, branches, tags };
}

/** Fetches the remote's default branch and release tags, and returns the remote's current state. */
export async function fetchRemote(git: Git, name: string): Promise<RemoteFacts> {
  const remote = await readRemote(git, name);
  const branch = remote.defaultBranch;
  const tracking = `refs/remotes/${name}/${branch}`;
  const refs = await readRefs(git, "refs/tags", tracking);
  const here = tagsOf(refs);
  // git fetches the tags below the branch automatically, unless it is configured not to.
  const missing = [...remote.tags.keys()].filter((tag) => versionOfTag(tag) !== null && !here.has(tag));
  if (missing.length === 0 && refs.get(tracking)?.commit === remote.commit) return remote;
  const wanted = missing.map((tag) => `refs/tags/${tag}:refs/tags/${tag}`);
  await git.text(["fetch", "--quiet", name, `+refs/heads/${branch}:${tracking}`, ...wanted]);
  return remote;
}

/** Returns the tags of the repository by name, without `refs/tags/`. */
export async function readTags(git: Git): Promise<ReadonlyMap<string, TagFacts>> {
  return tagsOf(await readRefs(git, "refs/tags"));
}

function tagsOf(refs: ReadonlyMap<string, TagFacts>): Map<string, TagFacts> {
  const prefix = "refs/tags/";
  return new Map(
    [...refs].flatMap(([name, facts]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), facts]] : [],
    ),
  );
}

/** Returns the refs by full name. */
async function readRefs(git: Git, ...patterns: readonly string[]): Promise<Map<string, TagFacts>> {
  const format = "%(refname)%09%(objecttype)%09%(objectname)%09%(*objectname)";
  const lines = (await git.text(["for-each-ref", `--format=${format}`, ...patterns])).split("\n");
  return new Map(
    lines.flatMap((line): [string, TagFacts][] => {
      const [name = "", kind, object = "", peeled = ""] = line.split("\t");
      return name === "" ? [] : [[name, { commit: peeled || object, isAnnotated: kind === "tag" }]];
    }),
  );
}

/** Returns the names of the tags at or below the commit. */
export async function tagsBelow(git: Git, commit: string): Promise<string[]> {
  return (await git.text(["tag", "--list", "v*", "--merged", commit])).split("\n").filter(Boolean);
}

/** Returns the commits, newest first, without merges; everything up to `to` if `from` is null. */
export async function readRange(git: Git, from: string | null, to: string): Promise<RawCommit[]> {
  const range = from === null ? [to] : [`${from}..${to}`];
  const limit = `--max-count=${MAX_COMMITS}`;
  const text = await git.text(["log", "-z", "--no-merges", limit, "--format=%H%n%B", ...range, "--"]);
  return nulSeparated(text).map((record) => {
    const end = record.indexOf("\n");
    return { hash: record.slice(0, end), message: record.slice(end + 1).trim() };
  });
}

/** Returns the text of a file in a commit; null if the commit has no such file. */
export async function readFileAt(git: Git, commit: string, path: string): Promise<string | null> {
  const [text = null] = await readObjects(git, [`${commit}:${path}`]);
  return text;
}

/** Returns the texts of those files that the commit has, by path. */
export async function readFilesAt(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = await readObjects(
    git,
    paths.map((path) => `${commit}:${path}`),
  );
  return new Map(
    paths.flatMap((path, index): [string, string][] => {
      const text = texts[index] ?? null;
      return text === null ? [] : [[path, text]];
    }),
  );
}

/**
 * Returns the texts of objects, read in the format of https://git-scm.com/docs/git-cat-file#_batch_output; null for each object
 * that is not a file.
 */
export async function readObjects(git: Git, names: readonly string[]): Promise<(string | null)[]> {
  const output = await git.bytes(["cat-file", "--batch"], names.map((name) => `${name}\n`).join(""));
  let at = 0;
  return names.map(() => {
    const end = output.indexOf("\n", at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(output.toString("utf8", at, end))?.[1];
    const start = end + 1;
    at = size === undefined ? start : start + Number(size) + 1;
    return size === undefined ? null : output.toString("utf8", start, start + Number(size));
  });
}

/** Returns the paths of all files in a commit, relative to the repository's root. */
export async function listFilesAt(git: Git, commit: string): Promise<string[]> {
  return nulSeparated(await git.text(["ls-tree", "-r", "-z", "--name-only", commit]));
}

/** Returns the commit of a branch; null if there is no such branch. */
export async function branchCommit(git: Git, branch: string): Promise<string | null> {
  const answer = await git.ask(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`]);
  return answer.exitCode === 0 ? answer.stdout : null;
}

/** Returns whether the commit itself is here. */
export async function hasCommit(git: Git, commit: string): Promise<boolean> {
  return (await git.ask(["cat-file", "-e", `${commit}^{commit}`])).exitCode === 0;
}

/** Returns a commit's parents, tree and message. Rejects with RELEASE_GIT_FAILED if the commit is not here. */
export async function readCommit(
  git: Git,
  commit: string,
): Promise<{ parents: string[]; tree: string; message: string }> {
  const text = await git.text(["show", "--no-patch", "--format=%T %P%n%B", commit]);
  const [facts = "", ...message] = text.split("\n");
  const [tree = "", ...parents] = facts.split(" ").filter(Boolean);
  return { parents, tree, message: message.join("\n") };
}

/** Returns the first-parent commits below `tip`, or in a range, that changed the file, newest first. */
export async function changesOf(git: Git, tip: string, path: string): Promise<string[]> {
  const args = ["log", "--first-parent", "--max-count=200", "--format=%H", tip, "--", path];
  return (await git.text(args)).split("\n").filter(Boolean);
}

/** Returns whether the history of `above` contains `below`. */
export async function isAncestor(git: Git, below: string, above: string): Promise<boolean> {
  return (await git.ask(["merge-base", "--is-ancestor", below, above])).exitCode === 0;
}

function nulSeparated(text: string): string[] {
  return text.split("\0").filter((part) => part !== "");
}
