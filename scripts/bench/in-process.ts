/** Measures Waited Runs, Render Waits and memory in a separate process: `in-process.ts SESSIONS` prints InProcess as JSON. */
import { createSession, type Session } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { nodePtySpawner, type Pty } from "../../src/agent-tty/pty/index.ts";
import { type Bench, openBench, PATIENT, quantile, samples, timed } from "./measure.ts";

export interface InProcess {
  roundTripMs: number;
  runMs: { median: number; p99: number };
  shownMs: number;
  appearingMs: number;
  idleCpuMs: number;
  sessions: number;
  bytesPerSession: number;
}

const IDLE_MS = 1_000;
/** The terminal's echo and cat's output, each with two bytes of line end. */
const ECHOED_LINE_BYTES = 6;

process.stdout.write(JSON.stringify(await measure(Number(process.argv[2] ?? "50"))));

async function measure(sessions: number): Promise<InProcess> {
  await using bench = await openBench();
  const bytesPerSession = await memoryPerSession(bench, sessions);
  const roundTripMs = await roundTrip(bench);
  await using session = await bench.bash();
  const runs = await samples(200, () => session.run("true", PATIENT));
  await session.run("echo shown-already", PATIENT);
  const shown = await samples(50, () => session.wait({ text: "shown-already" }, PATIENT));
  const appearing = await waitsForEcho(bench);
  const before = process.cpuUsage();
  const waiting = session.wait({ text: "never", screenStableMs: 60_000 }, { callerTimeoutMs: IDLE_MS });
  await waiting;
  const { user, system } = process.cpuUsage(before);
  return {
    roundTripMs,
    runMs: { median: quantile(runs, 0.5), p99: quantile(runs, 0.99) },
    shownMs: quantile(shown, 0.5),
    appearingMs: quantile(appearing, 0.5),
    idleCpuMs: (user + system) / 1000,
    sessions,
    bytesPerSession,
  };
}

/** Measures from before the typing to the match, which is longer than from the arrival of the bytes. */
async function waitsForEcho(bench: Bench): Promise<number[]> {
  await using session = await idleSession(bench);
  let count = 0;
  return await samples(50, async () => {
    count += 1;
    const waiting = session.wait({ text: `token-${count}.` }, PATIENT);
    void session.type(`token-${count}.\n`);
    await waiting;
  });
}

/** Measures the round trip of one line through the kernel's terminal to cat, without the engine. */
async function roundTrip(bench: Bench): Promise<number> {
  let [heardBytes, wantedBytes] = [0, 0];
  let answered: () => void = () => undefined;
  const onOutput = (bytes: Buffer): void => {
    heardBytes += bytes.byteLength;
    if (heardBytes >= wantedBytes) answered();
  };
  const spec = { command: ["cat"] as const, cwd: bench.directory, env: bench.env, cols: 80, rows: 24 };
  let pty: Pty | null = null;
  const exited = new Promise<void>((resolve) => {
    pty = nodePtySpawner(systemClock)(spec, { output: onOutput, exit: () => resolve() });
  });
  const trips = await samples(100, () => {
    wantedBytes += ECHOED_LINE_BYTES;
    const answer = new Promise<void>((resolve) => (answered = resolve));
    void pty?.write("x\n");
    return answer;
  });
  (pty as Pty | null)?.killGroup("SIGKILL");
  await exited;
  return quantile(trips, 0.5);
}

async function memoryPerSession(bench: Bench, count: number): Promise<number> {
  const open: Session[] = [await idleSession(bench)];
  const before = process.memoryUsage.rss();
  for (let index = 0; index < count; index += 1) {
    const session = await idleSession(bench);
    open.push(session);
    await timed(() => session.type("some input\n"));
  }
  const bytes = (process.memoryUsage.rss() - before) / count;
  await Promise.all(open.map((session) => session.destroy({ force: true })));
  return bytes;
}

function idleSession(bench: Bench): Promise<Session> {
  return createSession(bench.home, { command: ["cat"], cwd: bench.directory, env: bench.env });
}
