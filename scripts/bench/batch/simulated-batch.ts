import { chmod, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openHome } from "agent-tty";
import { type Clock, systemClock, systemIds } from "agent-tty/kit";
import { execa } from "execa";
import { openDuplicateIndexes } from "../../../src/duplicates/index.ts";
import { createOctokitGithub, openResponseFiles } from "../../../src/github/index.ts";
import { openStore } from "../../../src/store/index.ts";
import {
  type BatchSummary,
  createCanaryDetector,
  createCommandAgent,
  createPublicationTurns,
  createThreadedCleaner,
  openCheckpoints,
  openReproductionLibrary,
  runBatch,
} from "../../../src/triage/index.ts";
import { parentIdentity } from "../../../src/workspaces/index.ts";
import { defaultSettings } from "../../../test/support/batch/batch-stage.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { createSimulatedProvider } from "./simulated-provider.ts";

export interface BatchLoad {
  issues: number;
  cap: number;
  buildMs: number;
  /** How long each Triage Agent works. */
  agentMs: number;
  deleteMs: number;
  /** The output in megabytes that the first issue's Triage Agent prints before it works like the others. */
  floodMegabytes?: number;
}

export interface ParentSettings extends BatchLoad {
  /** The address of the simulated GitHub. */
  githubUrl: string;
}

export interface BatchFigures {
  wallMs: number;
  /** The duration if only builds, Triage Agents and deletions took time. */
  idealMs: number;
  /** Processor time (user and system) of all threads of the parent, without children, for all issues together. */
  cpuMs: number;
  /**
   * Processor time of the shells, Triage Agents and git that the parent started and waited for: a deployment runs these elsewhere.
   */
  childCpuMs: number;
  /** Processor time of the simulated GitHub's process. */
  githubCpuMs: number;
  /** The time until all issues but the first were finished. */
  othersMs: number;
  peakRssBytes: number;
  /** The highest RSS in each tenth of the batch's duration, which shows whether memory grows with the number of finished runs. */
  rssBytesByTenth: readonly number[];
  peakWorkspaces: number;
  workspacesLeft: number;
  totals: BatchSummary["totals"];
}

const RSS_EVERY_MS = 1_000;
/** Linux counts processor time to user space in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Runs a whole Triage Batch of the real code in this process against a simulated GitHub over HTTP. The only simulated part in
 * this process is the deployment's waits: one timer each.
 */
export async function simulateBatch(load: ParentSettings): Promise<Omit<BatchFigures, "githubCpuMs">> {
  await using directory = await temporaryDirectory();
  const at = (...names: string[]): string => join(directory.path, ...names);
  const clock = systemClock;
  const ids = systemIds(clock);
  const github = createOctokitGithub({
    apiUrl: load.githubUrl,
    credential: { type: "token", token: "of-the-bench" },
    userAgent: "bench",
    clock,
    pacing: "none",
    responses: await openResponseFiles(at("responses"), ids),
  });
  const provider = createSimulatedProvider(at("workspaces"), load, clock);
  using store = await openStore({ path: at("store.sqlite"), clock });
  const agent = at("triage-agent.sh");
  await writeFile(agent, agentScript(load));
  await chmod(agent, 0o755);
  const product = await createProduct(at("product"));
  const sessionHome = await openHome({ directory: at("sessions"), clock, ids });
  const parent = await parentIdentity();
  const canaries = createCanaryDetector([]);
  using cleaner = createThreadedCleaner(canaries, {
    program: new URL("cleaning-program.js", import.meta.url),
    threads: availableParallelism(),
  });
  using duplicates = openDuplicateIndexes(at("duplicates"), clock);
  using rss = watchRss(clock);
  const childrenBeforeMs = await reapedChildrenCpuMs();
  const cpuBefore = process.cpuUsage();
  const startedMs = clock.monotonicMs();
  let othersMs = 0;
  const summary = await runBatch(
    {
      ...defaultSettings,
      repos: ["octo/widgets"],
      parallelism: load.cap,
      runDeadlineMs: 20 * 60_000,
      checkout: { ...defaultSettings.checkout, url: product },
    },
    {
      reader: github.reader,
      writer: github.writer,
      provider,
      modelMeter: null,
      triageAgent: createCommandAgent({ command: [agent], environment: {} }),
      sessionHome,
      store,
      reproductions: openReproductionLibrary(at("reproductions"), ids),
      duplicates,
      checkpoints: openCheckpoints(at("checkpoints"), ids),
      runsDirectory: at("runs"),
      bundle: () => Promise.reject(new Error("no bundle was asked for")),
      markers: { keys: ["bench"], trustedAuthors: [] },
      publishing: createPublicationTurns(() => ""),
      canaries,
      cleaner,
      parent,
      clock,
      ids,
      observe: (event) => {
        if (event.type === "issue-finished" && event.summary.number !== 1)
          othersMs = clock.monotonicMs() - startedMs;
      },
      withinIssue: (_, work) => work(),
    },
    new AbortController().signal,
  );
  const wallMs = clock.monotonicMs() - startedMs;
  const cpu = process.cpuUsage(cpuBefore);
  const perIssueMs = load.buildMs + load.agentMs + load.deleteMs;
  return {
    wallMs,
    idealMs: Math.ceil(load.issues / load.cap) * perIssueMs,
    cpuMs: (cpu.user + cpu.system) / 1_000,
    childCpuMs: (await reapedChildrenCpuMs()) - childrenBeforeMs,
    othersMs,
    // The peak as the kernel recorded it, because samples miss peaks between them.
    peakRssBytes: process.resourceUsage().maxRSS * 1_024,
    rssBytesByTenth: byTenth(rss.seen),
    peakWorkspaces: provider.peak(),
    workspacesLeft: provider.left(),
    totals: summary.totals,
  };
}

/** Returns the script of a Triage Agent that waits as for a model, then asks for more information. */
function agentScript({ agentMs, floodMegabytes = 0 }: BatchLoad): string {
  const outcome = JSON.stringify({
    schema: "afk-triage/outcome@2",
    security: { level: "none", kind: null },
    issue: "NUMBER",
    category: "enhancement",
    outcome: "needs-info",
    confidence: "high",
    summary: "It needs a measurement.",
    established: ["Nothing is measured."],
    questions: ["How slow is it, with how many entries?"],
    brief: null,
    reproduction: null,
    wontfix: null,
    duplicateOf: null,
  }).replace('"NUMBER"', "'\"$number\"'");
  return [
    "#!/bin/sh",
    String.raw`number=$(sed -n 's/^  "number": \([0-9]*\).*/\1/p' "$AFK_TRIAGE_ISSUE_FILE" | head -n 1)`,
    ...(floodMegabytes === 0
      ? []
      : [
          `[ "$number" != 1 ] || yes "the server has answered another request with status okay" | head -c ${floodMegabytes}000000`,
        ]),
    `sleep ${agentMs / 1_000}`,
    `printf '%s' '${outcome}' >"$AFK_TRIAGE_OUTCOME_FILE"`,
    "",
  ].join("\n");
}

async function createProduct(directory: string): Promise<string> {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const commit = ["-c", "user.name=b", "-c", "user.email=b@example.test", "commit", "-q", "--allow-empty"];
  await execa("git", ["init", "-q", "--initial-branch", "main", directory], { env });
  await execa("git", ["-C", directory, ...commit, "-m", "product"], { env });
  return directory;
}

function watchRss(clock: Clock): Disposable & { readonly seen: readonly number[] } {
  const seen: number[] = [];
  let timer: Disposable | null = null;
  const look = (): void => {
    seen.push(process.memoryUsage.rss());
    timer = clock.schedule(RSS_EVERY_MS, look);
  };
  look();
  return { seen, [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}

function byTenth(seen: readonly number[]): number[] {
  const size = Math.ceil(seen.length / 10);
  const starts = Array.from({ length: Math.ceil(seen.length / size) }, (_, index) => index * size);
  return starts.map((start) => Math.max(...seen.slice(start, start + size)));
}

/** Reads `cutime` and `cstime` (proc(5)): the time of ended children and of the descendants that they waited for. */
async function reapedChildrenCpuMs(): Promise<number> {
  const text = await readFile("/proc/self/stat", "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}
