import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EmulatedGithub, startEmulatedGithub } from "../github/emulated-github.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { AGENTS } from "./batch-stage.ts";
import { createProduct } from "./create-product.ts";
import { processesNaming } from "./processes.ts";
import type { BuiltProgram, Descriptors, ProgramOnTerminal, RunningProgram } from "./program.ts";
import { type Ended, runInProcess } from "../cli/run-in-process.ts";

export type ProgramStage = Awaited<ReturnType<typeof openProgramStage>>;

/**
 * Opens a directory with a home, a product and a GitHub over HTTP, for the real program. Disposal ends every process that is
 * left.
 */
export async function openProgramStage(program: BuiltProgram) {
  const directory = await temporaryDirectory();
  const at = (...names: string[]): string => join(directory.path, ...names);
  const [product, github] = await Promise.all([createProduct(at("product")), startEmulatedGithub()]);
  await mkdir(at("person", ".github"), { recursive: true });
  // The machine's own config file, which sets what may run on this machine.
  const configure = (config: object): Promise<void> => writeFile(at("machine.yml"), JSON.stringify(config));
  const config = {
    provider: "local",
    checkout: { url: product },
    reproduction: { runs: 2, timeout: "20s" },
    triageAgent: { kind: "command", command: [process.execPath, join(AGENTS, "by-title.mjs")] },
  };
  await configure(config);
  const environment: Readonly<Record<string, string>> = {
    PATH: process.env["PATH"] ?? "",
    HOME: at("person"),
    // The leak check finds processes by this variable.
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    AFK_TRIAGE_HOME: at("home"),
    AFK_TRIAGE_CONFIG: at("machine.yml"),
    GITHUB_REPOSITORY: github.repo,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_TOKEN: github.token,
    AFK_TRIAGE_MARKER_KEY: "a marker key of this test",
  };
  const placeOf = (change: Record<string, string>) => ({
    cwd: at("person"),
    env: { ...environment, ...change },
  });
  const start = (
    args: readonly string[],
    change: Record<string, string> = {},
    descriptors: Descriptors = {},
  ): RunningProgram => program.start(args, { ...placeOf(change), descriptors });
  return {
    directory: directory.path,
    home: at("home"),
    product,
    github,
    config,
    agent: (name: string): string => join(AGENTS, `${name}.mjs`),
    configure,
    start,
    startOnTerminal: (args: readonly string[], change: Record<string, string> = {}): ProgramOnTerminal =>
      program.startOnTerminal(args, placeOf(change)),
    /** The same in the test's process, for tests that do not need a separate process. */
    run: (args: readonly string[], change: Record<string, string> = {}): Promise<Ended> =>
      runInProcess(args, placeOf(change)),
    /** Opens needs-triage issues with these titles. */
    open: async (...titles: string[]): Promise<void> => {
      for (const title of titles) await github.createIssue({ title, labels: ["needs-triage"] });
    },
    comments: async (number: number): Promise<string[]> => {
      const signal = AbortSignal.timeout(10_000);
      return (await github.reader.comments({ repo: github.repo, number }, signal)).map(({ body }) => body);
    },
    labels: (number: number): Promise<string[]> => labelsOf(github, number),
    read: (name: string): Promise<string> => readFile(at(name), "utf8"),
    processes: (): Promise<string[]> => processesNaming(directory.path),
    [Symbol.asyncDispose]: async () => {
      for (const line of await processesNaming(directory.path)) killQuietly(Number.parseInt(line, 10));
      await github[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

async function labelsOf(github: EmulatedGithub, number: number): Promise<string[]> {
  const lookup = await github.reader.issue({ repo: github.repo, number }, AbortSignal.timeout(10_000));
  if (lookup.type === "gone") throw new Error(`issue ${number} is gone`);
  return lookup.issue.labels.toSorted();
}

/** Kills a process, so that a test that failed half-way leaves none to the next one. */
function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
