import { spawnSync } from "node:child_process";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import { cutCommandOnTerminal, DEFINE_PIPED } from "../../src/evidence/pipeline/cut-command.ts";
import { prepareSession, runScript } from "../../src/evidence/pipeline/run-script.ts";
import { engine } from "../agent-tty/engine-fixture.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Runs the command line of a script on a terminal, in bash, followed by a line with its exit code. */
async function shown(script: string): Promise<{ lines: string[]; exitCode: string }> {
  await using directory = await temporaryDirectory();
  await mkdir(join(directory.path, "run"));
  await writeFile(join(directory.path, "reproduction"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const line = `${DEFINE_PIPED}; ${cutCommandOnTerminal("../reproduction", "APART", 20)}; echo "code $?"`;
  const seen = join(directory.path, "seen");
  await using output = await open(seen, "w");
  const { status } = spawnSync("bash", ["-c", line], {
    cwd: join(directory.path, "run"),
    env: { PATH: process.env["PATH"], AFK_TRIAGE_RUNS: directory.path, APART: "" },
    stdio: ["ignore", output.fd, "inherit"],
    timeout: 30_000,
  });
  if (status !== 0) throw new Error("the line did not end by itself");
  const stdout = await readFile(seen, "utf8");
  const lines = stdout.trimEnd().split("\n");
  return { exitCode: lines.at(-1) ?? "", lines: lines.slice(0, -1) };
}

test("a run on a terminal keeps its exit code, and all its output comes before its end (V2)", async () => {
  const { lines, exitCode } = await shown("seq 1 50000; echo broken >&2; exit 42");
  expect([lines.length, lines.at(-1), exitCode]).toEqual([50_001, "broken", "code 42"]);
});

test("a run has no terminal and empty standard input (V2)", async () => {
  const { lines } = await shown(
    "[ -p /dev/stdout ] && [ -p /dev/stderr ] && echo pipes; cat; [ ! -e /dev/fd/8 ] && echo closed",
  );
  expect(lines).toEqual(["pipes", "closed"]);
});

test("a daemon that keeps the output open does not keep the run from ending (V3)", async () => {
  // It ends when the directory is removed, after the run.
  const { lines, exitCode } = await shown(
    "while [ -e ../reproduction ]; do sleep 0.2; done & echo started; exit 3",
  );
  expect([lines, exitCode]).toEqual([["started"], "code 3"]);
});

test("a terminal's answers to what a run printed are neither in its output nor in the next command (S10, V9)", async () => {
  await using started = await engine();
  const place = join(started.directory, "place");
  await mkdir(join(place, "run"), { recursive: true });
  const script = String.raw`printf 'seen\033[c\033[6n'; sleep 0.2; echo; echo end; printf '\033[6n'`;
  await writeFile(join(place, "reproduction"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const session = await started.bash({ answersQueries: true });
  const here = { connection: null };
  const patience = { clock: systemClock, signal: new AbortController().signal, remainingMs: () => 20_000 };
  await prepareSession(session, here, { place, desk: place }, "", patience);
  for (let run = 0; run < 3; run += 1) {
    const { end, output } = await runScript(session, here, { timeoutMs: 10_000, environment: "" }, patience);
    expect([end, output.trim()]).toEqual([{ type: "exited", exitCode: 0 }, "seen\nend"]);
  }
});
