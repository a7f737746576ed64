/** Measures one load in a separate process: `flood.ts NAME MEGABYTES` prints a Flood as JSON. */
import { open, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setInterval } from "node:timers";
import { exportAsciicast, replayDetailedSnapshot } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { nodePtySpawner } from "../../src/agent-tty/pty/index.ts";
import { type Bench, openBench, PATIENT, timed } from "./measure.ts";
import { measureTmux, type TmuxFigures } from "./tmux.ts";

export interface Flood {
  outputBytes: number;
  logBytes: number;
  checkpointBytes: number;
  drainMs: number;
  parseMs: number;
  sessionMs: number;
  /** Processor time of this process during that time, without the time of the program and the kernel. */
  sessionCpuMs: number;
  drainCpuMs: number;
  rssGrowthBytes: number;
  snapshotMs: number;
  exportMs: number;
  /** null if tmux is not installed. */
  tmux: TmuxFigures | null;
}

const RSS_EVERY_MS = 20;
const PIECE_BYTES = 1024 * 1024;
const ROUNDS = 3;

const [name = "seq", megabytes = "10"] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await measure(commandOf(name, Number(megabytes)))));

/** Measures each in turn and keeps the shortest time, because other programs on the machine can only add time. */
async function measure(command: string): Promise<Flood> {
  await using bench = await openBench();
  const flood = await floodSession(bench, command);
  let drained = await drain(bench, command);
  let tmux = await measureTmux(bench.directory, command);
  for (let round = 1; round < ROUNDS; round += 1) {
    const session = await bench.bash();
    const again = await timedWithCpu(() => session.run(command, PATIENT));
    await session[Symbol.asyncDispose]();
    await rm(session.directory, { recursive: true });
    if (again.ms < flood.sessionMs) Object.assign(flood, { sessionMs: again.ms, sessionCpuMs: again.cpuMs });
    const drainedAgain = await drain(bench, command);
    if (drainedAgain.ms < drained.ms) drained = drainedAgain;
    const tmuxAgain = await measureTmux(bench.directory, command);
    if (tmux !== null && tmuxAgain !== null && tmuxAgain.ms < tmux.ms) tmux = tmuxAgain;
  }
  return { ...flood, drainMs: drained.ms, drainCpuMs: drained.cpuMs, tmux };
}

type SessionFlood = Omit<Flood, "drainMs" | "drainCpuMs" | "tmux">;

async function floodSession(bench: Bench, command: string): Promise<SessionFlood> {
  const session = await bench.bash();
  const peak = watchRss();
  const { ms: sessionMs, cpuMs: sessionCpuMs } = await timedWithCpu(() => session.run(command, PATIENT));
  const rssGrowthBytes = peak();
  await session[Symbol.asyncDispose]();
  const output = join(session.directory, "output.bin");
  const outputBytes = await sizeOf(output);
  const snapshotMs = await timed(() => replayDetailedSnapshot(bench.home, session.id));
  const exportMs = await timed(() =>
    exportAsciicast(bench.home, session.id, join(bench.directory, "o.cast")),
  );
  let parseMs = await parse(output);
  for (let round = 1; round < ROUNDS; round += 1) parseMs = Math.min(parseMs, await parse(output));
  const flood = {
    outputBytes,
    logBytes: outputBytes + (await sizeOf(join(session.directory, "events.jsonl"))),
    checkpointBytes: await sizeOf(join(session.directory, "checkpoints.bin")),
    parseMs,
    sessionMs,
    sessionCpuMs,
    rssGrowthBytes,
    snapshotMs,
    exportMs,
  };
  await rm(session.directory, { recursive: true });
  return flood;
}

/** Measures the time of the kernel and the program when another program only reads the terminal. */
async function drain(bench: Bench, command: string): Promise<{ ms: number; cpuMs: number }> {
  return timedWithCpu(
    () =>
      new Promise<void>((resolve) => {
        nodePtySpawner(systemClock)(
          {
            command: ["bash", "-c", command],
            cwd: bench.directory,
            env: { ...bench.env, TERM: "xterm-256color" },
            cols: 80,
            rows: 24,
          },
          { output: () => undefined, exit: () => resolve() },
        );
      }),
  );
}

/** Measures the unmodified emulator alone, over the same bytes. */
async function parse(path: string): Promise<number> {
  const require = createRequire(import.meta.url);
  const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless");
  const terminal = new Terminal({ cols: 80, rows: 24, scrollback: 1_000, allowProposedApi: true });
  await using file = await open(path, "r");
  const piece = Buffer.alloc(PIECE_BYTES);
  let totalMs = 0;
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, piece.byteLength);
    if (bytesRead === 0) return totalMs;
    totalMs += await timed(
      () => new Promise<void>((resolve) => terminal.write(piece.subarray(0, bytesRead), resolve)),
    );
  }
}

async function timedWithCpu(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const before = process.cpuUsage();
  const ms = await timed(work);
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000 };
}

function commandOf(load: string, size: number): string {
  switch (load) {
    case "seq":
      // Nearly every number takes seven digits and two bytes of line end.
      return `seq 1000000 ${1_000_000 + Math.round((size * 1_000_000) / 9)}`;
    case "yes":
      return `yes | head -c ${Math.round((size * 1_000_000 * 2) / 3)}`;
    case "lines":
      return `yes ${"x".repeat(150)} | head -c ${size * 1_000_000}`;
    default:
      throw new TypeError(`no load is named ${load}`);
  }
}

function watchRss(): () => number {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), RSS_EVERY_MS);
  return () => {
    clearInterval(timer);
    return Math.max(peak, process.memoryUsage.rss()) - before;
  };
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
