import {
  ignoredInterrupts,
  labelMoments,
  type Moment,
  truthDocument,
} from "../../test/support/tui-recordings/index.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { execa } from "execa";
import { createSession, openHome } from "agent-tty";
import { OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { temporaryDirectory } from "../../test/support/temporary-directory.ts";
import type { Traffic } from "../../test/support/model-server/index.ts";
import { installTool, type Tool } from "../install-tool.ts";
import { type Meanings, perform, type Stage } from "./perform.ts";
import { prepareTool } from "./prepare-tool.ts";
import type { Scenario } from "./scenario.ts";
import { type RecordingHeader, sessionRecording } from "./session-recording.ts";
import { inputMoments, startedAtMs } from "./session-times.ts";
import { shownMoments } from "./shown-moments.ts";

export interface RecordingOrder {
  tool: Tool;
  version: string;
  scenario: Scenario;
  size: { cols: number; rows: number };
  /** The directory for the files. */
  directory: string;
}

const SHELL: [string, ...string[]] = ["bash", "--noprofile", "--norc", "-i"];

/** Performs a scenario with the real CLI and writes its recording, truth and server files. Resolves with their common stem. */
export async function record(order: RecordingOrder): Promise<string> {
  const { tool, scenario, size } = order;
  const { cols, rows } = size;
  const installed = await installTool(tool, order.version);
  await using root = await temporaryDirectory();
  const [home, checkout] = [join(root.path, "home"), join(root.path, "acme-api")];
  await mkdir(home);
  // Some tools ask for trust only in a repository.
  await execa("git", ["init", "-q", checkout]);
  const traffic: Traffic[] = [];
  await using prepared = await prepareTool(tool, {
    program: installed.program,
    scenario,
    home,
    checkout,
    onTraffic: (one) => traffic.push(one),
  });
  const sessions = await openHome({
    directory: join(root.path, "sessions"),
    clock: systemClock,
    ids: systemIds(systemClock),
  });
  const name = `${tool}-v${order.version}-${scenario.name}-${cols}x${rows}`;
  const header = {
    recording: name,
    tool,
    version: installed.version,
    cols,
    rows,
    scenario: scenario.name,
    in_shell: scenario.isInShell === true,
  };
  const command: [string, ...string[]] = [installed.program, ...prepared.args, ...(scenario.args ?? [])];
  await using session = await createSession(sessions, {
    command: scenario.isInShell === true ? SHELL : command,
    cwd: checkout,
    env: {
      ...prepared.env,
      ...scenario.env,
      PS1: "dev$ ",
      HOME: home,
      PATH: process.env["PATH"] ?? "",
      LANG: "C.UTF-8",
    },
    cols,
    rows,
  });
  const { meanings, moments, endMs } = await performed(scenario, {
    session,
    tool: prepared,
    traffic,
    commandLine: command.join(" "),
  });
  if (prepared.refusals.length > 0)
    throw new Error(`the server refused what ${name} asked: ${prepared.refusals.join("; ")}`);
  const ignored = ignoredInterrupts(moments);
  if (ignored.length > 0)
    throw new Error(`the model's answer went on after the interrupt at ${ignored.join(", ")} ms of ${name}`);
  const lines = await sessionRecording(session.directory, header, meanings, endMs);
  const rules = {
    asksForPermission: scenario.asksForPermission === true,
    startGuardMs: prepared.startGuardMs,
    endGuardMs: prepared.endGuardMs ?? null,
  };
  const truth = truthDocument(header, labelMoments(moments, rules), endMs);
  await writeFiles(join(order.directory, name), header, lines, truth, moments);
  return name;
}

/** Performs the scenario, and returns everything known about it, in the Session's own time. */
async function performed(
  scenario: Scenario,
  stage: Omit<Stage, "noteShell">,
): Promise<{ meanings: Meanings; moments: Moment[]; endMs: number }> {
  const { session, tool, traffic } = stage;
  const startMs = await startedAtMs(session.directory);
  const now = (): number => systemClock.nowMs() - startMs;
  const moments: Moment[] = scenario.isInShell === true ? [] : [{ type: "spawned", atMs: 0 }];
  void session.exited.then((exit) =>
    moments.push({ type: "exited", atMs: now(), code: exit.type === "code" ? exit.code : null }),
  );
  const meanings = await perform(scenario.steps, {
    ...stage,
    noteShell: () => moments.push({ type: "at-shell", atMs: now() }),
  });
  const endMs = now();
  // When this mark is in the Event Log, everything shown before it is, too.
  await session.mark("end of the recording").catch(ignoreEnded);
  const inputs = await inputMoments(session.directory, meanings);
  const served = traffic.map((one): Moment => ({
    type: "traffic",
    atMs: one.wallMs - startMs,
    traffic: one,
  }));
  const asked = scenario.asksForPermission === true ? toolCallsMs(served) : [];
  const all = [
    ...moments,
    ...inputs,
    ...(await shownMoments(session.directory, tool, inputs, asked)),
    ...served,
  ];
  return { meanings, moments: all.toSorted((left, right) => left.atMs - right.atMs), endMs };
}

function toolCallsMs(moments: readonly Moment[]): number[] {
  return moments.flatMap((one) =>
    one.type === "traffic" && one.traffic.type === "tool-call" ? [one.atMs] : [],
  );
}

/** Ignores the error of an ended Session: if the TUI has exited, the Event Log is already complete. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof OperationalError)) throw error;
}

async function writeFiles(
  stem: string,
  header: RecordingHeader,
  lines: readonly object[],
  truth: object,
  moments: readonly Moment[],
): Promise<void> {
  const text = (documents: readonly object[]): string =>
    documents.map((one) => `${JSON.stringify(one)}\n`).join("");
  await mkdir(join(stem, ".."), { recursive: true });
  await writeFile(`${stem}.rec.jsonl.gz`, gzipSync(text(lines), { level: 9 }));
  await writeFile(`${stem}.truth.json`, `${JSON.stringify(truth, null, 1)}\n`);
  const served = moments.flatMap((one) =>
    one.type === "traffic" ? [{ t_ms: one.atMs, ...one.traffic }] : [],
  );
  await writeFile(
    `${stem}.server.jsonl`,
    text(served.length === 0 ? [{ recording: header.recording }] : served),
  );
}
