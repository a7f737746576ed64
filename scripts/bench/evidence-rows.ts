import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHome, type Session } from "agent-tty";
import { startDeadline, systemClock, systemIds } from "agent-tty/kit";
import { type Claim, verifyClaim } from "../../src/evidence/index.ts";
import {
  buildOwnRepository,
  cloneAt,
  type LocalPlaces,
  localPlaces,
} from "../../test/evidence-packages/index.ts";
import { ROOT, timed } from "./measure.ts";
import { type BenchRow, judged, milliseconds } from "./row.ts";

const LIMIT_MS = 10 * 60_000;
const RUN_LIMIT_MS = 60_000;
const RUNS = 3;
const MOST = 2.5;
const PRODUCT = "textkit";
const TAG = "v2.3.1";

interface Case {
  readonly what: string;
  readonly claim: Claim;
  /** The number of rounds; each measures one verification and three real runs. */
  readonly rounds: number;
}

/** Waits as if for a service of its own, then works for half a second: about two seconds on an idle machine. */
const SET_UP = `sleep 1.5
node -e "const end = process.cpuUsage().user + 5e5; while (process.cpuUsage().user < end) require('textkit').slug('Hi there!')"`;
const shows = (set: string, judge: string): Claim => ({
  script: `#!/bin/sh\n${set}\nnode -e "const got = require('textkit').slug('Hi there!'); ${judge}"\n`,
  expect: { exitCode: 1, outputContains: "slug is broken" },
});
const TELLS = "if (got !== 'hi-there') { console.log('slug is broken: ' + got); process.exit(1) }";
const SAYS_ONE_TEXT = "if (got !== 'hi-there') { console.log('slug is broken'); process.exit(1) }";

const CASES: readonly Case[] = [
  { what: "a reproduction of two seconds", claim: shows(SET_UP, TELLS), rounds: 1 },
  { what: "one that prints the same text whatever it gets", claim: shows(SET_UP, SAYS_ONE_TEXT), rounds: 1 },
  { what: "a short reproduction", claim: shows("", TELLS), rounds: 3 },
];

/** Measures both in turn, so that other load on the machine affects both, and compares the sums. */
export async function evidenceRows(): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), "afk-triage-bench-"));
  try {
    const ids = systemIds(systemClock);
    const home = await openHome({ directory: join(directory, "sessions"), clock: systemClock, ids });
    const places = await localPlaces(join(directory, "places"), home, ids);
    const repository = join(directory, "repository");
    await buildOwnRepository(PRODUCT, repository);
    const rows: BenchRow[] = [];
    for (const { what, claim, rounds } of CASES) {
      let [wholeMs, realMs, runs] = [0, 0, 0];
      for (let round = 0; round < rounds; round += 1) {
        realMs += await timed(() => inPlace(places, repository, (place) => realRuns(place, claim)));
        wholeMs += await timed(async () => {
          runs = await inPlace(places, repository, (place) => verification(place, claim));
        });
      }
      const ratio = wholeMs / realMs;
      const row = {
        row: "V2",
        what: `verification of ${what} (${runs} runs)`,
        measured: milliseconds(wholeMs / rounds),
        rawLimit: `${RUNS} real runs ${milliseconds(realMs / rounds)}`,
        ratio,
        requirement: `≤ ${MOST} × the real runs`,
      };
      rows.push(judged(row, ratio <= MOST));
      process.stderr.write(`${row.what}: ${row.measured}, ${row.rawLimit}, ratio ${ratio.toFixed(2)}\n`);
    }
    return rows;
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface OpenPlace {
  readonly place: Awaited<ReturnType<LocalPlaces["open"]>>;
  readonly signal: AbortSignal;
  readonly open: () => Promise<Session>;
  readonly checkout: (session: Session, name: string) => Promise<void>;
}

async function inPlace<Result>(
  places: LocalPlaces,
  repository: string,
  work: (place: OpenPlace) => Promise<Result>,
): Promise<Result> {
  using deadline = startDeadline(systemClock, "one measurement", LIMIT_MS);
  const { signal } = deadline;
  await using place = await places.open(`bench-${systemIds(systemClock).hex(6)}`, signal);
  const sessions: Session[] = [];
  const open = async (): Promise<Session> => {
    const session = await place.openSession(signal);
    sessions.push(session);
    return session;
  };
  const checkout = (session: Session, name: string): Promise<void> =>
    cloneAt(session, repository, TAG, name, LIMIT_MS, signal);
  try {
    return await work({ place, signal, open, checkout });
  } finally {
    for (const session of sessions) await session.destroy();
  }
}

/** Runs the script three times from the same checkout; each run has its own copy, HOME and TMPDIR. */
async function realRuns({ open, checkout, signal }: OpenPlace, { script }: Claim): Promise<void> {
  const session = await open();
  await checkout(session, "pristine");
  const text = Buffer.from(script).toString("base64");
  await session.run(`echo ${text} | base64 -d > reproduction; chmod 755 reproduction`, patience(signal));
  for (let run = 0; run < RUNS; run += 1) {
    const line = `rm -rf run home tmp; mkdir home tmp; cp -a pristine run && ( cd run && HOME=$PWD/../home TMPDIR=$PWD/../tmp ../reproduction </dev/null )`;
    const end = await session.run(line, patience(signal));
    if (end.type !== "completed" || end.exitCode !== 1)
      throw new Error(`the script ended differently: ${end.type}`);
  }
}

async function verification({ place, open, checkout, signal }: OpenPlace, claim: Claim): Promise<number> {
  const adapter = (name: string): Promise<string> => readFile(join(ROOT, "templates/controls", name), "utf8");
  const adapters = { javascript: await adapter("javascript.cjs"), python: await adapter("python.py") };
  const found = await verifyClaim(
    {
      claim,
      runs: RUNS,
      timeoutMs: RUN_LIMIT_MS,
      adapters,
      checkout,
      openBeside: open,
      issueText: "",
      scriptHash: null,
    },
    place,
    await open(),
    { clock: systemClock, ids: systemIds(systemClock), signal, remainingMs: () => LIMIT_MS },
  );
  if (found.type !== "examined" || found.verdict.type !== "verified")
    throw new Error(`expected a verified claim, got: ${JSON.stringify(found).slice(0, 500)}`);
  return found.records.length;
}

function patience(signal: AbortSignal): { callerTimeoutMs: number; signal: AbortSignal } {
  return { callerTimeoutMs: RUN_LIMIT_MS, signal };
}
