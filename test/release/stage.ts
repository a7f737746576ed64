import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { afterAll } from "vitest";
import {
  finalizeRelease,
  type FinalizeOptions,
  type FinalizeStep,
  type FinalizeSummary,
  gitIn,
  prepareRelease,
  type PrepOptions,
  type PrepPorts,
  type PrepStep,
  type PrepSummary,
  type VerificationEvidence,
} from "../../src/release/index.ts";
import { type GitStarter, openGitStarter } from "./git-starter.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A repository with a bare remote, a release v0.1.0 and one later feature. */
export interface ReleaseStage extends AsyncDisposable {
  /** The user's checkout. */
  checkout: string;
  home: string;
  env: Record<string, string>;
  /** Runs git in the checkout. */
  git: (...args: string[]) => Promise<string>;
  write: (files: Record<string, string>) => Promise<void>;
  /** Commits everything and pushes it. */
  commit: (message: string, files?: Record<string, string>) => Promise<string>;
  prep: (change?: Partial<PrepOptions>, ports?: Partial<PrepPorts>) => Promise<PrepSummary>;
  finalize: (
    change?: Partial<FinalizeOptions>,
    observe?: (step: FinalizeStep) => void | Promise<void>,
  ) => Promise<FinalizeSummary>;
  /** Merges the prepared branch as a reviewer would, and pushes. */
  merge: (version: string) => Promise<void>;
  /** A new clone of the remote with a new home, as a runner of GitHub Actions has it. It goes with this stage. */
  runner: (name: string) => Promise<ReleaseStage>;
  /** Returns everything that releasing may touch, without the parts that differ between runs. */
  state: () => Promise<Record<string, unknown>>;
}

const FILES = {
  "package.json": `{\n  "name": "thing",\n  "version": "0.1.0",\n  "workspaces": ["packages/*"],\n  "devDependencies": {"part": "0.1.0", "other": "0.1.0"}\n}\n`,
  "packages/part/package.json": `{"name": "part", "version": "0.1.0", "private": true}\n`,
  "packages/apart/package.json": `{"name": "apart", "version": "3.0.0"}\n`,
  "package-lock.json": `{\n  "name": "thing", "version": "0.1.0", "lockfileVersion": 3,\n  "packages": {\n    "": {"name": "thing", "version": "0.1.0", "devDependencies": {"part": "0.1.0"}},\n    "node_modules/other": {"version": "0.1.0"},\n    "packages/part": {"version": "0.1.0"}\n  }\n}\n`,
  "src/version.ts": `export const VERSION = "0.1.0";\n`,
  "CHANGELOG.md":
    "# Changelog\n\nWhat happened.\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n### Added\n\n- All.\n",
};

/** Evidence of commands that were not run: what a Session records has its own tests. */
export const passing: PrepPorts["collectEvidence"] = ({ setup, verify, recordingPath }) =>
  Promise.resolve(evidence([...setup, ...verify], 0, recordingPath));

export const failing: PrepPorts["collectEvidence"] = ({ verify, recordingPath }) =>
  Promise.resolve(evidence(verify, 1, recordingPath));

function evidence(commands: readonly string[], exitCode: number, recording: string): VerificationEvidence {
  return {
    status: exitCode === 0 ? "passed" : "failed",
    startedAt: "2026-11-22T06:00:00.000Z",
    sessionId: "01M80ZAB1AETBP7GVD80PHHYN1",
    recording,
    commands: commands.map((command) => ({
      kind: "verify",
      command,
      end: "completed",
      exitCode,
      durationMs: 1_500,
      output: "what it printed",
    })),
  };
}

type Directory = AsyncDisposable & { path: string };

/** Created once per test file, then copied, because each step starts a git process. */
const templates = new Map<string, Promise<Directory>>();
let starter: GitStarter | null = null;

/** Every test file that uses a stage must call this first: it removes everything that was created for that file. */
export function useReleaseStages(): void {
  afterAll(async () => {
    const made = [...templates.values()];
    templates.clear();
    for (const directory of made) await (await directory)[Symbol.asyncDispose]();
    await starter?.[Symbol.asyncDispose]();
    starter = null;
  });
}

export function releaseStage(): Promise<ReleaseStage> {
  return copyOf("begun", makeTemplate);
}

/** Returns a stage with v0.2.0 prepared and merged. */
export function mergedStage(): Promise<ReleaseStage> {
  return copyOf("merged", async () => {
    const directory = await temporaryDirectory();
    await using begun = await releaseStage();
    await begun.prep();
    await begun.merge("0.2.0");
    await cp(dirname(begun.checkout), directory.path, { recursive: true });
    return directory;
  });
}

async function copyOf(name: string, make: () => Promise<Directory>): Promise<ReleaseStage> {
  const made = templates.get(name) ?? make();
  templates.set(name, made);
  const directory = await temporaryDirectory();
  await cp((await made).path, directory.path, { recursive: true });
  return stageIn(directory);
}

async function makeTemplate(): Promise<Directory> {
  const directory = await temporaryDirectory();
  const { git, commit } = stageIn(directory);
  const env = environment(directory.path);
  await startGit(["init", "--quiet", "--bare", "--initial-branch=main", "origin.git"], directory.path, env);
  await startGit(["init", "--quiet", "--initial-branch=main", "work"], directory.path, env);
  // The URL is relative, so that a copy has its own remote.
  await git("remote", "add", "origin", "../origin.git");
  await commit("Begin", FILES);
  await git("tag", "--annotate", "v0.1.0", "--message", "v0.1.0");
  await git("push", "--quiet", "origin", "v0.1.0");
  await commit("feat: paint for @bob, closes #7", { "src/paint.ts": "export {};\n" });
  return directory;
}

function smallStarter(): GitStarter {
  return (starter ??= openGitStarter());
}

async function startGit(args: readonly string[], cwd: string, env: Record<string, string>): Promise<string> {
  const { exitCode, stdout, stderr } = await smallStarter().start(args, { cwd, env, input: null });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.toString("utf8").replace(/\n$/, "");
}

function stageIn(directory: Directory, name = ""): ReleaseStage {
  const [checkout, home] = [join(directory.path, `work${name}`), join(directory.path, `home${name}`)];
  const env = environment(directory.path);
  const git = (...args: string[]): Promise<string> => startGit(args, checkout, env);
  const write = async (files: Record<string, string>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(checkout, path)), { recursive: true });
      await writeFile(join(checkout, path), text);
    }
  };
  const commit = async (message: string, files: Record<string, string> = {}): Promise<string> => {
    await write(files);
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "--message", message);
    await git("push", "--quiet", "origin", "HEAD");
    return git("rev-parse", "HEAD");
  };
  const shared = {
    git: gitIn(checkout, { env, signal: new AbortController().signal, start: smallStarter().start }),
    releasesDirectory: join(home, "releases"),
    // In these tests a killed process holds no lock any more.
    takeLock: () => ({ [Symbol.dispose]: () => undefined }),
    ids: systemIds(systemClock),
  };
  return {
    checkout,
    home,
    env,
    git,
    write,
    commit,
    prep: (change, ports) =>
      prepareRelease(
        { ...PREP, ...change },
        { ...shared, collectEvidence: passing, clock: systemClock, observe: () => undefined, ...ports },
      ),
    finalize: (change, observe = () => undefined) =>
      finalizeRelease({ ...FINALIZE, ...change }, { ...shared, observe }),
    merge: async (version) => {
      await git("merge", "--quiet", "--no-ff", "--message", `Merge ${version}`, `release/v${version}`);
      await git("push", "--quiet", "origin", "main");
    },
    runner: async (of) => {
      await startGit(["clone", "--quiet", "origin.git", `work${of}`], directory.path, env);
      return stageIn(directory, of);
    },
    state: async () => {
      const [status, worktrees, refs, remote, left] = await Promise.all([
        git("status", "--porcelain", "--branch"),
        readdir(join(checkout, ".git/worktrees")).catch(() => []),
        git("for-each-ref", `--format=${REF_FORMAT}`, "refs/heads", "refs/tags"),
        git("-C", "../origin.git", "for-each-ref", `--format=${REF_FORMAT}`),
        leftovers(join(home, "releases")),
      ]);
      return { status, worktrees: 1 + worktrees.length, refs, remote, left };
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

const REF_FORMAT = "%(refname) %(objecttype) %(tree)%(*tree)";

const PREP: PrepOptions = {
  remote: "origin",
  wish: { type: "choose" },
  versionFiles: [],
  setup: [],
  verify: ["npm run check"],
  verifyTimeoutMs: 10_000,
  push: false,
  dryRun: false,
};

const FINALIZE: FinalizeOptions = {
  remote: "origin",
  version: null,
  sign: false,
  push: false,
  dryRun: false,
};

/** Runs like a process that gets SIGKILL: once the step is reached, nothing more of the run happens, not even clean-up. */
export async function killedAt<Step extends PrepStep | FinalizeStep>(
  step: Step,
  start: (observe: (seen: Step) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const observe = (seen: Step): Promise<void> => {
      if (seen !== step) return Promise.resolve();
      resolve();
      return new Promise(() => undefined);
    };
    start(observe).then(() => reject(new Error(`it never came to ${step}`)), reject);
  });
}

/** Turns off the maintenance that git does for long-lived repositories: these are thrown away. */
const SHORT_LIVED = { "core.fsync": "none", "maintenance.auto": "false", "gc.auto": "0" };

function environment(directory: string): Record<string, string> {
  const person = { NAME: "Ann", EMAIL: "ann@example.org" };
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TEMPLATE_DIR: "",
    GIT_CONFIG_COUNT: String(Object.keys(SHORT_LIVED).length),
    ...Object.fromEntries(
      Object.entries(SHORT_LIVED).flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) =>
        Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
      ),
    ),
  };
}

/** Returns the locks and checkouts that a finished step must not leave behind. */
async function leftovers(releases: string): Promise<string[]> {
  const names = await readdir(releases, { recursive: true }).catch(() => []);
  return names.filter((name) => /lock|worktree/.test(name));
}

export function readText(directory: string, path: string): Promise<string> {
  return readFile(join(directory, path), "utf8");
}
