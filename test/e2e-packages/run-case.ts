import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EmulatedGithub, startEmulatedGithub } from "../support/github/emulated-github.ts";
import { worldPeople } from "../support/github/github-world.ts";
import { startModelServer } from "../support/model-server/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { checkCase, gradeOf, type Mismatch, rangeOf } from "./check-case.ts";
import { reportReader } from "./model-script.ts";
import { type PackageCase, specOf } from "./package-cases.ts";
import { createPackageRepository, installCommands } from "./package-repository.ts";
import { type ProgramRun, runProgram } from "./run-program.ts";

/** The Triage Agent: the demo's rule-based program, or Claude Code (`program`) with a scripted model. */
export type ChosenAgent = { kind: "scripted"; program: string } | { kind: "claude-code"; program: string };

export interface CaseFolders {
  /** Tarballs, kept between runs. */
  cache: string;
  /** Where the home with its recordings, the summary and the comment are kept. */
  artifacts: string;
}

export interface CaseReport {
  issue: string;
  outcome: string;
  /** Verdict, runs, controls, place and regression test. */
  grade: string;
  /** First bad and first fixed in sentences. */
  range: string;
  seconds: number;
  commentUrl: string;
  mismatches: Mismatch[];
}

/** A secret of the parent, which must appear nowhere (S8). */
const CANARY = "canary-7d1f0c52b8e94a36-of-the-parent";
const MARKER_KEY = "marker-key-5b0de1c4a7f94d20";
const MODEL_KEY = "sk-ant-api03-a-key-that-must-show-nowhere-0123456789";

/** Serves one package as a repository of an emulated GitHub, lets the real program triage its issue, and checks the result. */
export async function runCase(
  packageCase: PackageCase,
  agent: ChosenAgent,
  folders: CaseFolders,
): Promise<CaseReport> {
  const { repo, title, body } = packageCase;
  await using directory = await temporaryDirectory();
  await using github = await startEmulatedGithub({ repo });
  await using model = await startModelServer(MODEL_KEY, reportReader());
  const ref = await github.createIssue({ title, body });
  await github.label(ref, worldPeople.maintainer, "needs-triage");
  const url = await createPackageRepository(packageCase, {
    cache: folders.cache,
    directory: join(directory.path, "repository"),
  });
  const home = join(directory.path, "home");
  const run = await runProgram({
    repo,
    directory: directory.path,
    home,
    config: {
      triageAgent: agentConfig(agent, model.url),
      checkout: { url, setup: await installCommands(packageCase.dependencies, folders) },
      runDeadline: "3m",
    },
    environment: await environmentFor(agent, github, directory.path),
  });

  const signal = AbortSignal.timeout(30_000);
  const found = await github.reader.issue(ref, signal);
  if (found.type !== "found") throw new Error(`${repo}#${ref.number} is gone: ${found.reason}`);
  const comments = await github.reader.comments(ref, signal);
  await keepArtifacts(join(folders.artifacts, specOf(packageCase)), { home, run, comments });
  const secrets = {
    "the canary": CANARY,
    "the GitHub token": github.token,
    "the marker key": MARKER_KEY,
    "the model's key": MODEL_KEY,
  };
  const mismatches = await checkCase({ packageCase, run, issue: found.issue, comments, home, secrets });
  const refusals = model.refusals.map((seen) => ({ what: "model", expected: "no refusal", seen }));
  const summary = run.summary?.issues[0];
  return {
    issue: `${specOf(packageCase)} (${repo}#${ref.number})`,
    outcome: `${summary?.category ?? "none"} ${summary?.outcome ?? "none"}`,
    grade: gradeOf(summary),
    range: await rangeOf(summary),
    seconds: run.seconds,
    commentUrl: summary?.commentUrl ?? "none",
    mismatches: [...mismatches, ...refusals],
  };
}

function agentConfig(agent: ChosenAgent, modelUrl: string): object {
  switch (agent.kind) {
    case "scripted":
      return { kind: "command", command: [process.execPath, agent.program] };
    case "claude-code":
      return {
        kind: "claude-code",
        mode: "print",
        env: { ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: MODEL_KEY },
      };
  }
}

async function environmentFor(
  agent: ChosenAgent,
  github: EmulatedGithub,
  directory: string,
): Promise<Record<string, string>> {
  const common = {
    AFK_E2E_CANARY: CANARY,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_TOKEN: github.token,
    AFK_TRIAGE_MARKER_KEY: MARKER_KEY,
    // An empty value counts as unset; this program may itself run in a job of GitHub Actions.
    GITHUB_ACTIONS: "",
    GITHUB_STEP_SUMMARY: "",
    GITHUB_OUTPUT: "",
  };
  if (agent.kind === "scripted") return common;
  // The PATH of a local Coder workspace omits every node_modules folder.
  const programs = join(directory, "bin");
  await mkdir(programs);
  await symlink(agent.program, join(programs, "claude"));
  return { ...common, PATH: `${programs}:${process.env["PATH"] ?? ""}` };
}

async function keepArtifacts(
  folder: string,
  { home, run, comments }: { home: string; run: ProgramRun; comments: readonly { body: string }[] },
): Promise<void> {
  await cp(home, join(folder, "home"), { recursive: true });
  await writeFile(join(folder, "summary.json"), run.stdout);
  await writeFile(join(folder, "progress.txt"), run.stderr);
  await writeFile(join(folder, "comment.md"), comments.map(({ body }) => body).join("\n\n---\n\n"));
}
