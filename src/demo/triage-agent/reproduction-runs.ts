import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { Clock } from "agent-tty/kit";
import { inert } from "./inert-text.ts";
import { type ReproductionScript, scriptExit } from "./reproduction-script.ts";

export interface ScriptRun {
  result: "shown" | "absent" | "broken" | "timed-out";
  output: string;
}

const RUN_LIMIT_MS = 5_000;
const TOTAL_LIMIT_MS = 20_000;
const OUTPUT_LIMIT_CHARACTERS = 16_000;
/** The number of runs that settle the result if the bug showed in each of them. */
const AGREEING_RUNS = 3;
const MAX_RUNS = 12;

export interface ReproductionRequest {
  script: ReproductionScript;
  checkout: string;
  /** A directory for the copies of the checkout. */
  scratch: string;
  clock: Clock;
}

/**
 * Runs the script repeatedly, each time in a fresh copy of the checkout. It stops after three runs if the bug showed in all of
 * them, after six if it showed in some, and else after twelve. It stops earlier after a run that was broken or timed out, and when
 * TOTAL_LIMIT_MS is over.
 */
export async function runReproduction(
  request: ReproductionRequest,
  onProgress: (progress: { run: number; output: string }) => void,
): Promise<ScriptRun[]> {
  const runs: ScriptRun[] = [];
  const { clock } = request;
  const startedMs = clock.monotonicMs();
  while (!isSettled(runs) && clock.monotonicMs() - startedMs < TOTAL_LIMIT_MS) {
    const run = runs.length + 1;
    runs.push(await runOnce(request, (output) => onProgress({ run, output })));
  }
  return runs;
}

function isSettled(runs: readonly ScriptRun[]): boolean {
  // Code that cannot be run or does not end will not succeed in a further run.
  if (runs.length >= MAX_RUNS || runs.some(({ result }) => result === "broken" || result === "timed-out"))
    return true;
  if (runs.length < AGREEING_RUNS) return false;
  const results = new Set(runs.map(({ result }) => result));
  return results.has("shown") && (results.size === 1 || runs.length >= 2 * AGREEING_RUNS);
}

async function runOnce(request: ReproductionRequest, onOutput: (output: string) => void): Promise<ScriptRun> {
  const directory = mkdtempSync(join(request.scratch, "reproduction-"));
  try {
    const copy = join(directory, "checkout");
    cpSync(request.checkout, copy, { recursive: true, filter: (path) => basename(path) !== ".git" });
    const script = join(directory, "reproduction.sh");
    writeFileSync(script, request.script.text, { mode: 0o700 });
    return await runScript(script, copy, request.clock, onOutput);
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

function runScript(
  script: string,
  cwd: string,
  clock: Clock,
  onOutput: (output: string) => void,
): Promise<ScriptRun> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", [script], { cwd, env: scriptEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
    let raw = "";
    let isTimedOut = false;
    const output = () => withoutOwnPaths(inert(raw), cwd);
    const take = (chunk: Buffer) => {
      raw = (raw + chunk.toString("utf8")).slice(-OUTPUT_LIMIT_CHARACTERS);
      onOutput(output());
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const limit = clock.schedule(RUN_LIMIT_MS, () => {
      isTimedOut = true;
      killTree(child.pid);
    });
    child.once("error", reject);
    child.once("close", (code) => {
      limit[Symbol.dispose]();
      resolve({ result: isTimedOut ? "timed-out" : resultOf(code), output: output() });
    });
  });
}

/** Returns the output without the paths of this run, because they say nothing about the bug, and the output may be published. */
function withoutOwnPaths(output: string, checkout: string): string {
  const relative = output.replaceAll(`file://${checkout}/`, "").replaceAll(`${checkout}/`, "");
  const home = homedir();
  return home.length > 1 ? relative.replaceAll(home, "~") : relative;
}

function resultOf(exitCode: number | null): ScriptRun["result"] {
  if (exitCode === scriptExit.shown) return "shown";
  return exitCode === scriptExit.absent ? "absent" : "broken";
}

/**
 * Returns the environment without the program's own variables, because the reporter's code must not learn the path of the outcome
 * file.
 */
function scriptEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AFK_TRIAGE_"));
  return { ...Object.fromEntries(own), NO_COLOR: "1" };
}

/**
 * Kills a process and its descendants. The children stay in this program's process group, so that ending the group ends them too;
 * therefore they have to be found one by one here. Where the system does not list children, only the script itself ends.
 */
function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const child of childrenOf(pid)) killTree(child);
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}

function childrenOf(pid: number): number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return listed.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
