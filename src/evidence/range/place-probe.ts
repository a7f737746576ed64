import { shellQuote } from "agent-tty/kit";
import { plainText } from "../../github/index.ts";
import type { ReadyWorkspace } from "../../workspaces/index.ts";
import { type Claim, isFreeOfBug } from "../claim.ts";
import { failureLines, isMatch, printedMessage } from "../decide/index.ts";
import {
  chooseWayApart,
  cutCommand,
  endOfCut,
  hasOwnFiles,
  HOME_OF_RUNS,
  HOME_OF_USER,
  keepWayApart,
  PRISTINE,
  scriptVariable,
  WAYS_APART,
  WITHOUT_PYTHON_CACHE,
} from "../pipeline/index.ts";
import type { ProbeResult } from "../probe.ts";
import { MAX_OUTPUT_CHARACTERS, OUTPUT_MAX_BYTES, type RunEnd } from "../run-record.ts";
import { ask, type PlaceShell } from "./place-shell.ts";

export interface ProbeSettings {
  claim: Claim;
  /** Command lines that set up a checkout. */
  setup: readonly string[];
  /** The time limit of one run of the script, in milliseconds. */
  timeoutMs: number;
}

/** The end of a command, and the end of its output. */
export interface CommandEnd {
  type: "ended";
  end: RunEnd;
  output: string;
}

/** The time limit, in addition to that of the script, for copies and set-up. */
const PREPARE_MS = 10 * 60_000;
/** The shell variable that holds the command that isolates a run. */
const APART = "apart";
/** The name of the script beside the checkout. */
const SCRIPT = "reproduction";
/**
 * The command that isolates the runs of a place, once a run has found that its own file system view is permitted there. A trial of
 * it takes as many processes as a run itself.
 */
const ways = new WeakMap<ReadyWorkspace, string>();

/** Runs the script once on a commit, in its own checkout, HOME and TMPDIR, and ends every process that the script leaves behind. */
export async function probeCommit(
  commit: string,
  settings: ProbeSettings,
  shell: PlaceShell,
): Promise<ProbeResult> {
  return runIn(checkoutLines(commit, settings.setup), settings, shell);
}

/** Returns shell lines that create a checkout of a commit at `range/run`, set it up and enter it. */
export function checkoutLines(commit: string, setup: readonly string[]): string[] {
  return [...bareCheckoutLines(commit), ...setupLines(setup)];
}

/** Returns the same lines without the set-up, so that the checkout can be changed before it. */
export function bareCheckoutLines(commit: string): string[] {
  return [
    `cp -a ${PRISTINE} range/run && cd range/run || exit 91`,
    `git checkout --quiet --force --detach ${shellQuote(commit)} >/dev/null 2>&1 || exit 92`,
    `git clean -ffdxq >/dev/null 2>&1 || exit 92`,
  ];
}

/** Returns the set-up commands as shell lines without output or input. If a command fails, the shell exits with code 93. */
export function setupLines(setup: readonly string[]): string[] {
  return setup.map((line) => `( ${line}\n) >/dev/null 2>&1 </dev/null || exit 93`);
}

/**
 * Runs the script once in the folder that `lines` create at `range/run` and enter, and judges the run. The exit codes 91 to 94 of
 * `lines` say what failed.
 */
export async function runIn(
  lines: readonly string[],
  { claim, timeoutMs }: ProbeSettings,
  shell: PlaceShell,
): Promise<ProbeResult> {
  const ran = await runScriptIn(lines, { claim, timeoutMs }, shell);
  return ran.type === "ended" ? judge(ran, claim, timeoutMs) : ran;
}

/** Runs the script in such a folder and returns how it ended, without a judgement. */
export async function runScriptIn(
  lines: readonly string[],
  { claim, timeoutMs }: Pick<ProbeSettings, "claim" | "timeoutMs">,
  shell: PlaceShell,
): Promise<CommandEnd | Extract<ProbeResult, { type: "untestable" }>> {
  if (claim.script.includes("\0")) return untestable("The script contains a NUL byte.");
  const write = `${scriptVariable(claim.script)} && printf %s "$script" > ../${SCRIPT} || exit 91`;
  return runCommand([...lines, write], `../${SCRIPT}`, timeoutMs, shell, [SCRIPT]);
}

/**
 * Runs a command in the folder that `lines` create and enter, in the same way as every run of the pipeline (V9), for at most
 * `timeoutMs`. `scripts`: files beside the folder that become executable before the run.
 */
export async function runCommand(
  lines: readonly string[],
  command: string,
  timeoutMs: number,
  shell: PlaceShell,
  scripts: readonly string[] = [],
): Promise<CommandEnd | Extract<ProbeResult, { type: "untestable" }>> {
  const limitSeconds = Math.max(1, Math.ceil(Math.min(timeoutMs, shell.remainingMs()) / 1_000));
  const { workspace } = shell;
  const way = ways.get(workspace);
  const isolate = way === undefined ? chooseWayApart(APART, scripts) : keepWayApart(APART, way, scripts);
  const commandLines = [
    "rm -rf range 2>/dev/null || { chmod -R u+rwX range 2>/dev/null; rm -rf range; } || exit 91",
    "mkdir -m 700 range range/home range/tmp || exit 91",
    `export ${HOME_OF_RUNS}="$PWD/range" ${HOME_OF_USER}="$HOME"; ${WITHOUT_PYTHON_CACHE}`,
    ...lines,
    `cd "$${HOME_OF_RUNS}" && { ${isolate}; cd run || exit 91; }`,
    `started=$SECONDS`,
    // The output file is unlinked, and the run gets only a write-only descriptor, so that it cannot replace its output with
    // another file.
    "exec 8>../output 9<../output && rm -f ../output || exit 91",
    `${cutCommand(command, APART, limitSeconds)} >&8 2>&1 8>&- 9<&-`,
    `code=$?; printf '%s %s %s\\n' "$code" "$((SECONDS - started))" "$${APART}"; tail -c ${OUTPUT_MAX_BYTES} <&9`,
    "exit 0",
  ];
  const answer = await ask(commandLines, shell, PREPARE_MS + limitSeconds * 1_000);
  if (answer === null) return untestable("The run did not end in time.");
  if (answer.exitCode !== 0)
    return untestable(PREPARATION_FAILED[answer.exitCode] ?? "The checkout could not be made.");
  const ran = readEnd(answer.stdout, limitSeconds);
  if (ran === null) return untestable("The run left no result.");
  const used = WAYS_APART.find((one) => one === ran.way);
  if (used !== undefined && hasOwnFiles(used)) ways.set(workspace, used);
  return ran.ended;
}

const PREPARATION_FAILED: Readonly<Record<number, string>> = {
  92: "git could not check the commit out.",
  93: "checkout.setup fails there.",
  94: "The published version could not be installed.",
};

function readEnd(stdout: string, limitSeconds: number): { ended: CommandEnd; way: string } | null {
  const found = /^(\d+) (\d+) (.*)\n/.exec(stdout);
  if (found === null) return null;
  const [code, seconds] = [Number(found[1]), Number(found[2])];
  const end = endOfCut(code, seconds * 1_000, limitSeconds * 1_000);
  const output = plainText(stdout.slice(found[0].length));
  return { ended: { type: "ended", end, output }, way: found[3] ?? "" };
}

function judge(ran: CommandEnd, claim: Claim, timeoutMs: number): ProbeResult {
  if (ran.end.type === "timed-out" && ran.end.limitMs < timeoutMs)
    return untestable("The time for the search ended.");
  if (isMatch(claim, ran)) return { type: "bad", failure: failureOf(ran, claim) };
  if (ran.end.type !== "exited")
    return untestable(`The script did not end within ${Math.ceil(timeoutMs / 1_000)} s.`);
  const { exitCode } = ran.end;
  if (isFreeOfBug(claim, exitCode)) return { type: "good" };
  return untestable(`The script ended with exit code ${exitCode} and without the reported text.`);
}

/**
 * Returns how a script with a claim without a text failed; null: exit code and text suffice. All failures have the exit code of
 * such a claim.
 */
function failureOf({ end, output }: CommandEnd, { expect }: Claim): string | null {
  const namesText = (expect?.outputContains ?? "").trim() !== "";
  if (namesText || end.type !== "exited" || end.exitCode === 0) return null;
  const last = output.slice(-MAX_OUTPUT_CHARACTERS);
  return printedMessage(last) ?? failureLines(last).join("\n");
}

function untestable(reason: string): Extract<ProbeResult, { type: "untestable" }> {
  return { type: "untestable", reason };
}
