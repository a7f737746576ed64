import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createSession, type Home } from "agent-tty";
import { messageOf } from "agent-tty/kit";
import { execa } from "execa";
import { agentTty, bareNode, type Bench, cpuMsOf, inTurn, openBench, timed } from "./measure.ts";
import { type BenchRow, judged, milliseconds, notMeasured } from "./row.ts";

const AFK_TRIAGE = join(import.meta.dirname, "../../dist/bin/afk-triage.cjs");
const MANY = 1_000;
const TIMES = 11;
const IDLE_SECONDS = 10;
const SETTLING_SECONDS = 20;
const MAX_REASON_CHARACTERS = 60;

/** P1, P2, P6, P7, P9 and P10 as a user sees them: the built command line, with one process per command. */
export async function commandRows(megabytes: number): Promise<BenchRow[]> {
  const ofNode = async (
    row: string,
    what: string,
    factor: number,
    work: () => Promise<unknown>,
  ): Promise<BenchRow> => {
    const requirement = `≤ ${factor} × node -e 0`;
    return attempted(row, what, requirement, async () => {
      const [medianMs, nodeMs] = await inTurn(TIMES, work, bareNode);
      const ratio = medianMs / nodeMs;
      const [measured, rawLimit] = [milliseconds(medianMs), `node -e 0: ${milliseconds(nodeMs)}`];
      return judged({ row, what, measured, rawLimit, ratio, requirement }, ratio <= factor);
    });
  };
  await using bench = await openBench();
  const { home } = bench;
  const id = await exitedSession(bench, "echo hello");
  const long = await exitedSession(
    bench,
    `seq 1000000 ${1_000_000 + Math.round((megabytes * 1_000_000) / 9)}`,
  );
  return [
    await ofNode("P1", "afk-triage --help", 2, () => execa(process.execPath, [AFK_TRIAGE, "--help"])),
    await ofNode("P1", "afk-triage list of an empty home", 4, () =>
      execa(process.execPath, [AFK_TRIAGE, "list"], {
        env: { AFK_TRIAGE_HOME: join(home.directory, "afk-triage") },
      }),
    ),
    await ofNode("P1", "agent-tty inspect", 1.5, () => agentTty(home, ["inspect", id])),
    await ofNode("P1", "agent-tty list", 1.5, () => agentTty(home, ["list", "--all"])),
    await ofNode("P1", "agent-tty snapshot of an exited Session", 1.5, () =>
      agentTty(home, ["snapshot", id]),
    ),
    await ofNode("P2", "agent-tty create until commandable", 2.5, () =>
      agentTty(home, ["create", "--", "cat"]),
    ),
    ...(await liveRows(home, ofNode)),
    await openingRow(home, id, long, megabytes),
    await ofNode("P7", "agent-tty screenshot", 6, () => agentTty(home, ["screenshot", id])),
    ...(await manyRows(home, id)),
  ];
}

type OfNode = (row: string, what: string, factor: number, work: () => Promise<unknown>) => Promise<BenchRow>;

/** Measures the Sessions that the measurement of create left running, and ends them afterwards. */
async function liveRows(home: Home, ofNode: OfNode): Promise<BenchRow[]> {
  const listed = await agentTty(home, ["list"]).catch(() => ({ sessions: [] }));
  const { sessions } = listed as { sessions: { sessionId: string }[] };
  const [live] = sessions;
  if (live === undefined) return [];
  const id = live.sessionId;
  const rows = [
    await ofNode("P1", "agent-tty snapshot of a live Session", 1.5, () => agentTty(home, ["snapshot", id])),
    await ofNode("P1", "agent-tty type", 1.5, () => agentTty(home, ["type", id, "x"])),
    await hostRow(home, id),
    await idleRow(
      home,
      sessions.map(({ sessionId }) => sessionId),
    ),
  ];
  for (const { sessionId } of sessions) await agentTty(home, ["destroy", sessionId, "--force"]);
  return rows;
}

function hostRow(home: Home, id: string): Promise<BenchRow> {
  const [row, what, requirement] = ["P9", "memory of an idle detached host", "≤ 60 MB"];
  return attempted(row, what, requirement, async () => {
    const { hostPid } = await home.readManifest(id);
    const status = await readFile(`/proc/${hostPid}/status`, "utf8");
    const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    const measured = `${megabytes.toFixed(0)} MB`;
    return judged({ row, what, measured, rawLimit: "–", ratio: null, requirement }, megabytes <= 60);
  });
}

/** Measures the hosts of all running Sessions when the work after a start (compilation, garbage collection) is done. */
function idleRow(home: Home, ids: readonly string[]): Promise<BenchRow> {
  const [row, requirement] = ["P9", "≤ 0.2 ms/s"];
  const what = `CPU of an idle detached host, mean of ${ids.length}`;
  return attempted(row, what, requirement, async () => {
    const hosts = await Promise.all(ids.map(async (id) => (await home.readManifest(id)).hostPid));
    const cpuMs = async (): Promise<number> =>
      (await Promise.all(hosts.map(cpuMsOf))).reduce((sum, one) => sum + one, 0);
    await setTimeout(SETTLING_SECONDS * 1_000);
    const beforeMs = await cpuMs();
    await setTimeout(IDLE_SECONDS * 1_000);
    const perSecond = ((await cpuMs()) - beforeMs) / IDLE_SECONDS / ids.length;
    const measured = `${perSecond.toFixed(2)} ms/s`;
    return judged({ row, what, measured, rawLimit: "–", ratio: null, requirement }, perSecond <= 0.2);
  });
}

function openingRow(home: Home, short: string, long: string, megabytes: number): Promise<BenchRow> {
  const [row, requirement] = ["P6", "≤ 1 s"];
  const what = `agent-tty snapshot of an exited Session with ${megabytes} MB`;
  return attempted(row, what, requirement, async () => {
    const [shortMs, longMs] = await inTurn(
      TIMES,
      () => agentTty(home, ["snapshot", short]),
      () => agentTty(home, ["snapshot", long]),
    );
    const rawLimit = `of a short one: ${milliseconds(shortMs)}`;
    const measured = milliseconds(longMs);
    return judged({ row, what, measured, rawLimit, ratio: longMs / shortMs, requirement }, longMs <= 1000);
  });
}

/** Compares a home with 1,000 exited Sessions with a home that has a few. */
async function manyRows(few: Home, id: string): Promise<BenchRow[]> {
  await using bench = await openBench();
  const many = bench.home;
  await copySessions(few, id, many);
  const [row, what, requirement] = ["P10", `agent-tty list of ${MANY} Sessions`, "≤ 1.5 × of one"];
  const listed = await attempted(row, what, requirement, async () => {
    const list = (home: Home) => () => agentTty(home, ["list", "--all"]);
    const [fewMs, manyMs] = await inTurn(TIMES, list(few), list(many));
    const ratio = manyMs / fewMs;
    const rawLimit = `of a few: ${milliseconds(fewMs)}`;
    return judged({ row, what, measured: milliseconds(manyMs), rawLimit, ratio, requirement }, ratio <= 1.5);
  });
  await using plain = await openBench();
  await copySessions(few, id, plain.home);
  const removalMs = await timed(() => rm(join(plain.home.directory, "sessions"), { recursive: true }));
  return [listed, await gcRow(many, removalMs)];
}

/** `removalMs`: the time that the file system takes to remove the same Sessions' files, without any check. */
function gcRow(home: Home, removalMs: number): Promise<BenchRow> {
  const [row, what, requirement] = ["P10", `agent-tty gc of ${MANY} Sessions`, "≤ 5 × node -e 0"];
  return attempted(row, what, requirement, async () => {
    let removed = 0;
    const ms = await timed(async () => {
      const result = (await agentTty(home, ["gc"])) as { removed: unknown[] };
      removed = result.removed.length;
    });
    const [nodeMs] = await inTurn(TIMES, bareNode, bareNode);
    const ratio = ms / nodeMs;
    const [measured, rawLimit] = [
      `${milliseconds(ms)} (${removed} removed)`,
      `node -e 0: ${milliseconds(nodeMs)}, rm of the same files: ${milliseconds(removalMs)}`,
    ];
    const isMet = ratio <= 5 && removed >= MANY;
    return judged({ row, what, measured, rawLimit, ratio, requirement }, isMet);
  });
}

async function copySessions(from: Home, id: string, to: Home): Promise<void> {
  const source = from.sessionDirectory(id);
  const manifest = await readFile(join(source, "session.json"), "utf8");
  for (let index = 0; index < MANY; index += 1) {
    const copy = to.ids.ulid();
    const directory = to.sessionDirectory(copy);
    await mkdir(directory, { mode: 0o700 });
    for (const file of ["events.jsonl", "output.bin"]) await cp(join(source, file), join(directory, file));
    await writeFile(join(directory, "session.json"), manifest.replaceAll(id, copy), { mode: 0o600 });
  }
}

async function exitedSession(bench: Bench, command: string): Promise<string> {
  const session = await createSession(bench.home, {
    command: ["bash", "-c", command],
    cwd: bench.directory,
    env: bench.env,
  });
  await session.exited;
  await session[Symbol.asyncDispose]();
  return session.id;
}

async function attempted(
  row: string,
  what: string,
  requirement: string,
  measure: () => Promise<BenchRow>,
): Promise<BenchRow> {
  try {
    return await measure();
  } catch (error) {
    const text = messageOf(error);
    const reason = /Error: .*|"message": ?"[^"]*"/.exec(text)?.[0] ?? text;
    return notMeasured(row, what, reason.slice(0, MAX_REASON_CHARACTERS), requirement);
  }
}
