import { readdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { messageOf, OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { type GithubReader, plainText, type RepositoryName } from "../../github/index.ts";
import {
  gateMessage,
  type Git,
  parseNotesSubject,
  type RegressionPorts,
  repositoryOfUrl,
  type StoredVerdict,
  writeNotes,
} from "../../release/index.ts";
import { isGraded, type ReproductionLibrary } from "../../triage/index.ts";
import { readConfig, readEnvironment, type RunEnvironment } from "../../config/index.ts";
import { resolveHome, openProgramHome, type ProgramHome } from "../../home/index.ts";
import { connectGithub, githubCredential } from "../wiring/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { currentRepository, type ReleaseOptions } from "./release-repository.ts";

export interface ReleaseNotesOptions extends ReleaseOptions {
  repo: `${string}/${string}`[];
  gate?: boolean;
  out?: string;
  config?: string;
}

/**
 * Runs `afk-triage release notes`: prints the Markdown (with `--json` inside the document). Returns 3 when `--gate` finds an open
 * regression.
 */
export async function releaseNotesCommand(
  what: string,
  options: ReleaseNotesOptions,
  output: Output,
): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    const subject = parseNotesSubject(what);
    if (subject === null)
      throw usage(`"${what}" is neither a version nor a range`, "1.2.0 or v1.0.0..v1.2.0");
    const environment = readEnvironment(process.env);
    const git = await currentRepository(signals.stop);
    const repo = await repositoryFor(options, environment, git);
    const ports = { clock: systemClock, ids: systemIds(systemClock) };
    using home = await openProgramHome(resolveHome(options.home, environment), ports);
    const regressions = regressionPorts(home, environment, signals.stop);
    const summary = await writeNotes({ subject, repo }, { git, ...regressions });
    if (options.out !== undefined) await writeMarkdown(options.out, summary.markdown);
    output.answer([summary.title, "", ...summary.markdown.trimEnd().split("\n").map(plainText)]);
    output.document(summary);
    const isClosed = options.gate === true && summary.gate === "closed";
    if (isClosed) output.line(gateMessage(summary));
    return signals.exitCode() ?? (isClosed ? exitCodes.issueFailed : exitCodes.done);
  });
}

/** Returns the repository of `--repo`, else of the environment, of the config file, or of the git remote. */
async function repositoryFor(
  { repo: [named], config, gate, remote }: ReleaseNotesOptions,
  environment: RunEnvironment,
  git: Git,
): Promise<RepositoryName | null> {
  const configured = (await readConfig(config ?? null, environment)).repos?.[0];
  const url = await git.ask(["remote", "get-url", remote]);
  const found = named ?? environment.repository ?? configured ?? repositoryOfUrl(url.stdout);
  if (found !== null || gate !== true) return found;
  throw new OperationalError<CliErrorCode>({
    code: "REPOSITORY_NOT_NAMED",
    message: "look for open regressions: no repository is named",
    remedy:
      "Name it with --repo owner/name or GITHUB_REPOSITORY: a gate without a repository checks nothing.",
  });
}

/** Returns the ports for regressions. GitHub is queried, and its token needed, only once a reproduction is still broken. */
function regressionPorts(
  home: ProgramHome,
  environment: RunEnvironment,
  signal: AbortSignal,
): RegressionPorts {
  let reader: Promise<GithubReader> | null = null;
  const connect = async (repo: RepositoryName): Promise<GithubReader> =>
    (await connectGithub(environment, githubCredential(environment, repo), home)).reader;
  return {
    verdicts: (repo) => storedVerdicts(repo, home.reproductions),
    openIssue: async (ref) => {
      reader ??= connect(ref.repo);
      const lookup = await (await reader).issue(ref, signal);
      return lookup.type === "found" && lookup.issue.state === "open" ? lookup.issue : null;
    },
  };
}

/**
 * Returns the verdicts of the stored reproductions. Unlike the library's own listing, it does not skip unreadable reproductions.
 */
async function storedVerdicts(repo: RepositoryName, library: ReproductionLibrary): Promise<StoredVerdict[]> {
  const names = await readdir(dirname(library.pathOf({ repo, number: 1 }))).catch(() => []);
  const verdicts: StoredVerdict[] = [];
  for (const name of names) {
    const number = Number(/^(\d+)\.json$/.exec(name)?.[1]);
    if (Number.isNaN(number)) continue;
    const check = (await library.read({ repo, number }))?.checks.at(-1);
    if (check === undefined) continue;
    const { at: checkedAt, verdict, commit, matchedRuns, runs } = check;
    verdicts.push({
      ref: { repo, number },
      verdict,
      checkedAt,
      commit,
      matchedRuns,
      runs,
      isGraded: isGraded(check),
    });
  }
  return verdicts;
}

async function writeMarkdown(path: string, markdown: string): Promise<void> {
  await writeFile(resolve(path), markdown).catch((error: unknown) => {
    throw usage(`${path} cannot be written: ${messageOf(error)}`, "a file in a directory that is there");
  });
}

function usage(seen: string, expected: string): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "USAGE",
    message: `write release notes: ${seen}`,
    remedy: `Expected ${expected}.`,
  });
}
