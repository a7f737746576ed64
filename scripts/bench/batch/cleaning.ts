/** Cleans large outputs in threads, as the parent does: `cleaning.ts MEGABYTES` prints CleaningFigures as JSON. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { systemClock } from "agent-tty/kit";
import { createCanaryDetector, createThreadedCleaner } from "../../../src/triage/index.ts";
import { bundleCleaningProgram } from "./bundle-cleaning-program.ts";

export interface CleaningFigures {
  flood: string;
  /** Megabytes of output per second of processor time. */
  megabytesPerCpuSecond: number;
  /** The rate of all threads together, with as many concurrent Sessions as threads. */
  megabytesPerSecond: number;
  threads: number;
  /**
   * The longest delay of the parent's event loop while the threads clean. For comparison, the delay while as many threads only
   * use processor time.
   */
  longestBlockMs: number;
  longestBlockBesideMs: number;
}

const FLOODS: Readonly<Record<string, (index: number) => string>> = {
  seq: (index) => `${index}\r\n`,
  "lines of a log": (index) =>
    `INFO the server has answered request ${index} in /src/module/file.ts with status okay\r\n`,
  "coloured lines": (index) => `\u001b[3${index % 8}mtest ${index}\u001b[0m has passed after a while\r\n`,
  "screens of a TUI": (index) =>
    `\u001b[${1 + (index % 24)};1H\u001b[2K│ \u001b[38;5;${index % 256}m●\u001b[0m Read(src/file-${index}.ts) ─── ${index % 90} lines \u001b[7m❯\u001b[27m │\r\n`,
  hexadecimal: () => `${randomBytes(20).toString("hex")}\r\n`,
  base64: () => `${randomBytes(57).toString("base64")}\r\n`,
};
const MEGABYTE = 1_000_000;
const SECRETS = 20;

const bytes = Number(process.argv[2] ?? "4") * MEGABYTE;
const program = await bundleCleaningProgram();
const threads = availableParallelism();
const figures: CleaningFigures[] = [];
for (const [flood, line] of Object.entries(FLOODS)) figures.push(await measure(flood, line));
process.stdout.write(JSON.stringify(figures));

async function measure(flood: string, line: (index: number) => string): Promise<CleaningFigures> {
  const root = await mkdtemp(join(tmpdir(), "cleaning-bench-"));
  try {
    const secrets = Array.from({ length: SECRETS }, (_, index) => ({
      name: `SECRET_${index}`,
      value: randomBytes(20 + index).toString("base64url"),
    }));
    using cleaner = createThreadedCleaner(createCanaryDetector(secrets), { program, threads });
    const sessions = Array.from({ length: threads }, (_, index) => join(root, String(index)));
    for (const session of sessions) await write(session, line);
    const cleanAll = async (): Promise<void> => {
      const hits = await Promise.all(sessions.map((session) => cleaner.clean(session)));
      if (hits.some((hit) => hit !== null)) throw new Error(`${flood}: a secret was found`);
    };
    // The first pass warms up the compiler.
    await cleanAll();
    const longestBlockBesideMs = await longestBlock(() => spin(threads));
    using delay = started(monitorEventLoopDelay({ resolution: 1 }));
    const [before, startedMs] = [process.cpuUsage(), systemClock.monotonicMs()];
    await cleanAll();
    const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
    const { user, system } = process.cpuUsage(before);
    const megabytes = (threads * bytes) / MEGABYTE;
    return {
      flood,
      megabytesPerCpuSecond: megabytes / ((user + system) / 1e6),
      megabytesPerSecond: megabytes / seconds,
      threads,
      longestBlockMs: delay.max / 1e6,
      longestBlockBesideMs,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Returns the longest delay of the event loop that other work on the machine alone causes. */
async function longestBlock(beside: () => Promise<unknown>): Promise<number> {
  using delay = started(monitorEventLoopDelay({ resolution: 1 }));
  await beside();
  return delay.max / 1e6;
}

/** Runs threads that use the processor for a second. */
async function spin(count: number): Promise<void> {
  const program = `const end = performance.now() + 1000; while (performance.now() < end);`;
  const workers = Array.from({ length: count }, () => new Worker(program, { eval: true, execArgv: [] }));
  await Promise.all(workers.map((worker) => once(worker, "exit")));
}

type Delay = ReturnType<typeof monitorEventLoopDelay>;

function started(delay: Delay): Delay & Disposable {
  delay.enable();
  return Object.assign(delay, { [Symbol.dispose]: () => void delay.disable() });
}

async function write(directory: string, line: (index: number) => string): Promise<void> {
  await mkdir(directory);
  let text = "";
  for (let index = 100_000; text.length < bytes; index += 1) text += line(index);
  await writeFile(join(directory, "output.bin"), text.slice(0, bytes));
  await writeFile(join(directory, "events.jsonl"), "");
  await writeFile(join(directory, "session.json"), "{}");
}
