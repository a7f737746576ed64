import { readEvents, type Session, type WaitedRunResult } from "agent-tty";
import { OperationalError } from "agent-tty/kit";
import { z } from "zod";
import { type CaseReport, compare, compareDocumented, notExpressible } from "../case-report.ts";
import { family } from "../family.ts";
import { type HostedSession, hostedOnFake, HOOKS_NONCE } from "../hosted-on-fake.ts";

const runCaseSchema = z.strictObject({
  id: z.string(),
  runs: z.number().default(1),
  feed: z.array(z.string()).default([]),
  steps: z.array(z.string()).default([]),
  timeout_ms: z.number().default(60_000),
  append_fails: z.string().optional(),
  ingest: z.string().optional(),
  events_before_exit: z.array(z.string()).optional(),
  events: z.array(z.string()).optional(),
  result: z.record(z.string(), z.string()).optional(),
});
const schema = z.object({ cases: z.array(runCaseSchema) });
type RunCase = z.infer<typeof runCaseSchema>;
type Shell = Parameters<typeof hostedOnFake>[0];

/** The sentinel and the postamble of the cases in the form that this shell uses. */
interface Notation {
  sentinel: string;
  postamble: string | null;
}

export const waitedRun = family(/^agent_tty_waited_run_cases\.json$/, schema, async ({ cases }) => {
  const reports: CaseReport[] = [];
  for (const one of cases) reports.push(...(await checkCase(one)));
  return reports;
});

async function checkCase(one: RunCase): Promise<CaseReport[]> {
  const obstacle = obstacleTo(one);
  if (obstacle !== null) return [notExpressible(one.id, obstacle)];
  const reports: CaseReport[] = [];
  // Prompt hooks type no postamble; only the typed line has one to hide.
  const shells: Shell[] = one.feed.join("").includes("P1") ? ["typed-line"] : ["typed-line", "prompt-hooks"];
  for (const shell of shells) reports.push(await checkWith(one, shell));
  return reports;
}

function obstacleTo(one: RunCase): string | null {
  if (one.runs > 1)
    return "the Waited Runs of one Session are serialised: run 2 is not typed before run 1 has completed";
  if (one.append_fails !== undefined)
    return "the Event Log fails as a whole, on disk, and ends the Session (EVENT_LOG_FAILED); no door refuses one record alone";
  const unknown = one.steps.find((step) => actionOf(step) === null);
  return unknown === undefined ? null : `unknown step ${JSON.stringify(unknown)}`;
}

async function checkWith(one: RunCase, shell: Shell): Promise<CaseReport> {
  await using hosted = await hostedOnFake(shell);
  const { session, terminal } = hosted;
  terminal.feed(shell === "prompt-hooks" ? `${mark("A;0")}$ ${mark("P")}` : "$ ");
  const aborting = new AbortController();
  const ending = endOf(session.run("work", { callerTimeoutMs: one.timeout_ms, signal: aborting.signal }));
  await settled(session);
  const fromSeq = session.lastSeq() + 1;
  const notation = notationOf(shell, terminal.typed());
  const write = (text: string): string => translate(text, notation);

  for (const piece of one.feed) terminal.feed(write(piece));
  await settled(session);
  const before = await eventsFrom(session, fromSeq);
  for (const step of one.steps)
    await actionOf(step)?.(hosted, { aborting, write, timeoutMs: one.timeout_ms });
  if (one.events_before_exit !== undefined) terminal.exit({ type: "code", code: 0 });
  await settled(session);

  const seen = {
    ...(one.events_before_exit === undefined ? {} : { eventsBeforeExit: before }),
    ...(one.events === undefined ? {} : { events: await eventsFrom(session, fromSeq) }),
    ...(one.result === undefined ? {} : { result: { 1: await ending } }),
  };
  const expected = {
    ...(one.events_before_exit === undefined ? {} : { eventsBeforeExit: one.events_before_exit }),
    ...(one.events === undefined ? {} : { events: one.events.map(write) }),
    ...(one.result === undefined ? {} : { result: one.result }),
  };
  return report(`${one.id} (${shell})`, one, expected, seen);
}

/**
 * Compares a case. In the cases the postamble has a line of its own; ours is on the command's line, so the line end belongs to
 * the command's echo.
 */
function report(id: string, one: RunCase, expected: object, seen: object): CaseReport {
  if (!one.feed.join("").includes("<P1 with CRLF>")) return compare(id, expected, seen);
  const ours = {
    ...expected,
    events: one.events?.map((event) => event.replace("promptvisible", "prompt\r\nvisible")),
  };
  const reason =
    "our postamble is typed on the command's own line, so the line end after it is the command's";
  return compareDocumented(id, { expected, ours, seen, reason });
}

type Action = (
  hosted: HostedSession,
  context: { aborting: AbortController; write: (text: string) => string; timeoutMs: number },
) => Promise<void>;

function actionOf(step: string): Action | null {
  const fed = /^feed (\S+)$/.exec(step)?.[1];
  if (fed !== undefined) return async ({ terminal }, { write }) => terminal.feed(write(fed));
  switch (step) {
    case "wait times out":
    case "advance past timeout":
      return ({ clock }, { timeoutMs }) => clock.advance(timeoutMs + 1);
    case "abort wait":
      return async (_hosted, { aborting }) => aborting.abort(new Error("the caller left"));
    case "flush":
      return ({ session }) => settled(session);
    case "exit":
      return async ({ terminal, session }) => {
        terminal.exit({ type: "code", code: 0 });
        await session.exited;
      };
    default:
      return null;
  }
}

function notationOf(shell: Shell, typed: string): Notation {
  if (shell === "prompt-hooks") return { sentinel: mark("D;0"), postamble: null };
  const [postamble, first = "", second = ""] =
    /; \(\\\w+ set -- "\$\?"; \\\w+ printf '[^']*' (\w+) (\w+) "\$1".* 2>\/dev\/null/.exec(typed) ?? [];
  if (postamble === undefined) throw new Error(`the typed line has no postamble: ${JSON.stringify(typed)}`);
  return { sentinel: `\x1b]7717;${first}${second};D;0\x07`, postamble };
}

/** Translates the notation of the cases into bytes. Throws if a part has no translation, which is a bug of this function. */
function translate(text: string, { sentinel, postamble }: Notation): string {
  const bytes = text
    .replace(/<first (\d+) bytes of S1>/, (_, count) => sentinel.slice(0, Number(count)))
    .replace(/<first (\d+) bytes of P1>/, (_, count) => (postamble ?? "").slice(0, Number(count)))
    .replace("<P1 with CRLF>", () => `${postamble}\r\n`)
    .replace("<S1>", () => sentinel);
  if (/<.*[SP]\d.*>/.test(bytes)) throw new Error(`no translation for ${JSON.stringify(text)}`);
  return bytes;
}

function mark(body: string): string {
  return `\x1b]7717;${HOOKS_NONCE};${body}\x07`;
}

/** Resolves when all output is in the Event Log and its files. */
async function settled(session: Session): Promise<void> {
  await session.snapshot();
  await session.readOutput({ fromSeq: 1, toSeq: 0 }, 0);
}

/**
 * Returns the output and the run completions in the notation of the cases; the division of output into records does not matter.
 */
async function eventsFrom(session: Session, fromSeq: number): Promise<string[]> {
  const events: string[] = [];
  for await (const { record, bytes } of readEvents(session.directory, { fromSeq })) {
    if (record.type === "run-completed") events.push(`run_complete:${record.run}`);
    if (record.type !== "output") continue;
    const last = events.at(-1);
    if (last?.startsWith("output:") === true) events[events.length - 1] = last + bytes.toString();
    else events.push(`output:${bytes.toString()}`);
  }
  return events;
}

/** Resolves even if the run rejects, which may happen long before the result is read. */
async function endOf(running: Promise<WaitedRunResult>): Promise<string> {
  try {
    const { type } = await running;
    return { completed: "completed", "timed-out": "timeout", interrupted: "exited" }[type];
  } catch (error) {
    return error instanceof OperationalError ? error.code : "aborted";
  }
}
