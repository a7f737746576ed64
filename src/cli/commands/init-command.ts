import { existsSync } from "node:fs";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { OperationalError, systemClock, systemIds, writeFileAtomic } from "agent-tty/kit";
import { execa } from "execa";
import { plainText, type RepositoryName } from "../../github/index.ts";
import { readTemplate } from "../../triage/index.ts";
import {
  chooseSettings,
  defaultRunFlags,
  type ProgramSettings,
  readConfig,
  readEnvironment,
} from "../../config/index.ts";
import { connectGithubSetup, githubCredential } from "../wiring/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import { type Output, proseLines } from "../output/index.ts";
import { isRepositoryName } from "../../notation/index.ts";
import { stopOnSignals, type StopSignals, untilSignalled } from "../stop-on-signals.ts";
import { VERSION } from "../version.ts";
import * as init from "../../init/index.ts";

export type InitPart = "labels" | "config" | "workflow" | "sweep";

export interface InitOptions {
  repo?: RepositoryName;
  only: InitPart[];
  provider: "coder" | "local";
  coderTemplate: string;
  careful?: boolean;
  cron: string;
  sweepCron: string;
  templateConfig?: string;
  templateWorkflow?: string;
  config?: string;
  force?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/**
 * Runs `afk-triage init`: shows the plan as a diff, asks a question, then writes. `n` and Ctrl-D are answers, after which nothing
 * is written.
 */
export async function initCommand(options: InitOptions, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, () => initialise(options, output, signals));
}

async function initialise(options: InitOptions, output: Output, signals: StopSignals): Promise<number> {
  const environment = readEnvironment(process.env);
  const config = await readConfig(options.config ?? null, environment);
  const repo = options.repo ?? environment.repository ?? config.repos?.[0] ?? (await repositoryOfOrigin());
  const { settings } = chooseSettings(defaultRunFlags, environment, config);
  const integrity = await init.installedIntegrity(fileURLToPath(import.meta.url));
  // A repository gets a scheduled sweep only on request.
  const wants = (part: InitPart): boolean =>
    options.only.length === 0 ? part !== "sweep" : options.only.includes(part);
  const registry = (): ReturnType<typeof connectGithubSetup>["labels"] =>
    connectGithubSetup(environment, githubCredential(environment, repo)).labels;
  const plan = init.planInit({
    repo,
    files: await wantedFiles(repo, options, settings, { wants, integrity }),
    labels: wants("labels")
      ? {
          wanted: init.triageLabels(settings.batch.labels),
          present: await registry().names(repo, signals.stop),
        }
      : { wanted: [], present: [] },
    force: options.force ?? false,
  });
  if (plan.files.length > 0 && !existsSync(".git"))
    output.line("warning: this directory is not the root of a checkout");
  output.answer(init.describePlan(plan).map((line) => plainText(line)));
  const report = (isApplied: boolean): void =>
    output.document({ schema: "afk-triage/init@1", applied: isApplied, ...reported(plan) });
  if (options.dryRun === true) {
    output.answer(["Nothing was written."]);
    report(false);
    return init.isRefused(plan) ? exitCodes.batchFailed : exitCodes.done;
  }
  if (init.isRefused(plan)) throw differs(plan);
  if (!init.isDone(plan)) {
    const mustAsk = options.yes !== true;
    if (mustAsk && !canAsk()) {
      report(false);
      throw unconfirmed();
    }
    if (mustAsk && !(await isConfirmed(signals.stop))) {
      output.answer(["Nothing was written."]);
      report(false);
      return signals.exitCode() ?? exitCodes.done;
    }
    await init.applyInit(
      plan,
      { labels: lazily(registry), writeFile, observe: (line) => output.line(line) },
      signals.stop,
    );
  }
  const wantsJob = wants("workflow") || wants("sweep");
  const token = wantsJob && environment.appId === null ? [ISSUES_WRITE] : [];
  const notes = [...token, ...(wantsJob ? [installNote(integrity)] : []), nextSteps(plan, wantsJob)];
  output.answer(notes.flatMap((note) => proseLines(note, output)));
  report(true);
  return signals.exitCode() ?? exitCodes.done;
}

const ISSUES_WRITE =
  "without a GitHub App of your own (docs/actions.md), the job's token writes: add `issues: write` to the workflow's permissions.";

/** Returns the next steps, only for the parts that were set up. */
function nextSteps({ repo, files }: init.InitPlan, wantsJob: boolean): string {
  const steps = [
    ...(wantsJob
      ? [
          'put the secrets and variables that the workflow names into an environment "triage" (docs/actions.md)',
        ]
      : []),
    ...(files.length > 0 ? ["commit the files"] : []),
  ];
  const before = steps.length === 0 ? "" : `${steps.join(", ")}, then: `;
  return `next: ${before}afk-triage doctor --repo ${repo}`;
}

function installNote(integrity: string): string {
  return integrity === ""
    ? `the workflow installs afk-triage ${VERSION} from the registry only after you set AFK_TRIAGE_INTEGRITY in it to the tarball's digest. To look up the digest: npm view afk-triage@${VERSION} dist.integrity`
    : `the workflow installs afk-triage ${VERSION} only if the registry's tarball is this one: ${integrity}`;
}

/** Returns a registry whose ports are loaded on first use, because no credential is needed if there are no labels to create. */
function lazily(registry: () => init.InitPorts["labels"]): init.InitPorts["labels"] {
  return {
    names: (repo, signal) => registry().names(repo, signal),
    create: (repo, label, signal) => registry().create(repo, label, signal),
  };
}

async function wantedFiles(
  repo: RepositoryName,
  options: InitOptions,
  { batch }: ProgramSettings,
  { wants, integrity }: { wants: (part: InitPart) => boolean; integrity: string },
): Promise<init.InitFacts["files"]> {
  const { provider, coderTemplate, cron, templateConfig, templateWorkflow } = options;
  const text = (own: string | undefined, ours: string): Promise<string> =>
    own === undefined ? Promise.resolve(readTemplate(ours)) : readNamed(own);
  const files = [];
  if (wants("config")) {
    const template = await text(templateConfig, "config/afk-triage.yml");
    files.push({
      path: init.CONFIG_PATH,
      wanted: init.configText(template, {
        repo,
        provider,
        coderTemplate,
        isCareful: options.careful ?? false,
        labels: batch.labels,
      }),
    });
  }
  if (wants("workflow")) {
    const template = await text(templateWorkflow, "workflow/triage.yml");
    files.push({
      path: init.WORKFLOW_PATH,
      wanted: init.workflowText(template, { version: VERSION, cron, integrity, labels: batch.labels }),
    });
  }
  if (wants("sweep"))
    files.push({
      path: init.SWEEP_PATH,
      wanted: init.workflowText(readTemplate("workflow/sweep.yml"), {
        version: VERSION,
        cron: options.sweepCron,
        integrity,
        labels: batch.labels,
      }),
    });
  return Promise.all(
    files.map(async ({ path, wanted }) => ({ path, wanted, current: await currentText(path) })),
  );
}

async function currentText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function readNamed(path: string): Promise<string> {
  const text = await currentText(path);
  if (text !== null) return text;
  throw new OperationalError<CliErrorCode>({
    code: "USAGE",
    message: `read the template ${path}: there is no such file`,
    remedy: "Give the path of an existing file.",
  });
}

/** Writes a file that all users can read, like other files of a repository. */
async function writeFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, text, systemIds(systemClock).hex(4));
  await chmod(path, 0o644);
}

function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

function unconfirmed(): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "INIT_UNCONFIRMED",
    message:
      "set up the repository as shown: stdin is not a terminal, so nobody could confirm it; nothing was written",
    remedy: "Add --yes.",
  });
}

async function isConfirmed(signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While the question is open, the terminal delivers Ctrl-C as a key.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await terminal.question("Do this? [y/N] ", { signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    // Ctrl-D closes the question and means no.
    if ((error as Error).name !== "AbortError" || signal.aborted) throw error;
    process.stderr.write("\n");
    return false;
  } finally {
    terminal.close();
  }
}

async function repositoryOfOrigin(): Promise<RepositoryName> {
  const asked = await execa({ reject: false, stdin: "ignore" })`git remote get-url origin`;
  const name = /[/:]([^/:]+\/[^/]+?)(?:\.git)?\/?$/.exec(asked.stdout.trim())?.[1] ?? "";
  if (isRepositoryName(name)) return name;
  throw new OperationalError<CliErrorCode>({
    code: "REPOSITORY_NOT_NAMED",
    message:
      "choose the repository to set up: neither --repo, GITHUB_REPOSITORY nor git's remote origin names one",
    remedy: "Add --repo owner/name.",
  });
}

function differs({ files }: init.InitPlan): OperationalError<CliErrorCode> {
  const paths = files.filter(({ action }) => action === "refuse").map(({ path }) => path);
  return new OperationalError({
    code: "INIT_FILE_DIFFERS",
    message: `write ${paths.join(" and ")}: the existing content differs, as shown above; nothing was written`,
    remedy: "Add --force to overwrite it, or --only to skip it, e.g. --only labels.",
  });
}

function reported({ repo, files, labels }: init.InitPlan) {
  return {
    repo,
    files: files.map(({ path, action }) => ({ path, action })),
    labels: labels.map(({ name, action }) => ({ name, action })),
  };
}
