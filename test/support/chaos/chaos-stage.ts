import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createProduct } from "../batch/create-product.ts";
import { processesNaming } from "../batch/processes.ts";
import { ticksNow } from "../process-starts.ts";
import type { BuiltProgram, RunningProgram } from "../batch/program.ts";
import { type CoderStandIn, startCoderStandIn } from "../coder/index.ts";
import { LEASE_PARAMETERS } from "../coder/stand-in-model.ts";
import { type EmulatedGithub, startEmulatedGithub } from "../github/emulated-github.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { FOREIGN_LABEL } from "./expectations.ts";
import type { Schedule } from "./schedule.ts";

/** The environment of one schedule: a backlog on GitHub, a Coder deployment, homes, and the program. */
export interface ChaosStage extends AsyncDisposable {
  readonly github: EmulatedGithub;
  readonly coder: CoderStandIn;
  readonly temporary: string;
  /** Returns our Coder workspaces that still have their names. */
  left(): string[];
  /** Returns the objects of other users, with names or templates like ours, that are gone. */
  othersGone(): string[];
  home(number: number): string;
  start(home: number, args: readonly string[]): RunningProgram;
  writeToken(): Promise<void>;
  /** Lets Triage Agents finish without waiting from now on. */
  calm(): Promise<void>;
  /** Returns the running processes that name this schedule. */
  processes(): Promise<string[]>;
}

/** Longer than any other limit that waits for a parent, so that its report is not cut off on a busy machine. */
const LIMIT_MS = 10 * 60_000;
const CHAOS_AGENT = join(import.meta.dirname, "chaos-agent.mjs");

export async function openChaosStage(program: BuiltProgram, schedule: Schedule): Promise<ChaosStage> {
  const directory = await temporaryDirectory();
  const at = (...names: string[]): string => join(directory.path, ...names);
  const [product, github, coder] = await Promise.all([
    createProduct(at("product")),
    startEmulatedGithub(),
    startCoderStandIn(deploymentOf(schedule)),
  ]);
  await mkdir(at("person", ".github"), { recursive: true });
  await mkdir(at("tmp"));
  const config = {
    provider: "coder",
    coder: { multiplexer: schedule.multiplexer },
    checkout: { url: product },
    reproduction: { runs: 2, timeout: "20s" },
    runDeadline: "90s",
    triageAgent: { kind: "command", command: [process.execPath, CHAOS_AGENT, at("calm")] },
  };
  await writeFile(at("machine.yml"), JSON.stringify(config));
  for (const { agent, pace } of schedule.issues)
    await github.createIssue({ title: `${agent} ${pace}`, labels: ["needs-triage", FOREIGN_LABEL] });
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: at("person"),
    TMPDIR: at("tmp"),
    AFK_TRIAGE_CONFIG: at("machine.yml"),
    AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "",
    GITHUB_REPOSITORY: github.repo,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_TOKEN: github.token,
    AFK_TRIAGE_MARKER_KEY: "a marker key of this test",
    CODER_URL: coder.url,
    AFK_TRIAGE_CODER_TOKEN_FILE: at("coder-token"),
    AFK_TRIAGE_CODER_BIN: coder.binary,
  };
  const others = OTHERS.map((workspace) => coder.seed(workspace).id);
  const held = () => {
    coder.liveNames();
    return coder.state.workspaces.filter(({ isDeleted }) => !isDeleted);
  };
  const machines = dirname(coder.binary);
  const since = ticksNow();
  const processes = async (): Promise<string[]> => [
    ...new Set([
      ...(await processesNaming(directory.path, since)),
      ...(await processesNaming(machines, since)),
    ]),
  ];
  const stage: ChaosStage = {
    github,
    coder,
    temporary: at("tmp"),
    left: () => held().flatMap(({ id, name }) => (others.includes(id) ? [] : [name])),
    othersGone: () => {
      const ids = new Set(held().map(({ id }) => id));
      return OTHERS.flatMap(({ name }, index) => (ids.has(others[index] ?? "") ? [] : [name]));
    },
    home: (number) => at(`home-${number}`),
    start: (home, args) =>
      program.start(args, {
        cwd: at("person"),
        env: { ...environment, AFK_TRIAGE_HOME: at(`home-${home}`) },
        limitMs: LIMIT_MS,
      }),
    writeToken: () => writeFile(at("coder-token"), coder.token),
    calm: () => writeFile(at("calm"), ""),
    processes,
    [Symbol.asyncDispose]: async () => {
      for (const line of await processes()) killQuietly(Number.parseInt(line, 10));
      await coder[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
  await stage.writeToken();
  return stage;
}

/**
 * S15: Coder workspaces of another owner under one of our names, of another template, and with a prefix that only begins like
 * ours.
 */
const OTHERS = [
  { name: "widgets-triage-1", isForeign: true, ageMs: 90 * 24 * 3_600_000 },
  { name: "widgets-triage-77", template: "development", ageMs: 90 * 24 * 3_600_000 },
  { name: "widgets-triage-board-1", ageMs: 90 * 24 * 3_600_000 },
];

function deploymentOf({ coder }: Schedule): Parameters<typeof startCoderStandIn>[0] {
  const isShort = coder.lease === "short";
  const parameters = LEASE_PARAMETERS.filter(
    ({ name }) => !isShort || ["run_id", "issue_number"].includes(name),
  );
  return {
    templates: [
      { name: "triage", parameters, allowUserCancel: coder.mayCancel },
      { name: "development", parameters },
    ],
    timings: { buildMs: coder.buildMs, deleteMs: coder.deleteMs },
  };
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
