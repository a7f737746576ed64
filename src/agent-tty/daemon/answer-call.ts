import { constants } from "node:os";
import { detailedSnapshotResult, snapshotResult } from "../capture/index.ts";
import { invalidInput, type Session } from "../host/index.ts";
import { type Clock, MAX_TIMER_MS } from "../kit/index.ts";
import type { Call, Method, Reply } from "../protocol/index.ts";
import { answerWait } from "./answer-wait.ts";

/**
 * Performs a client's call on the Session and returns the reply. `signal` aborts when the client has disconnected: its waits end,
 * its commands continue.
 */
export async function answerCall(
  session: Session,
  call: Call,
  context: { clock: Clock; signal: AbortSignal },
): Promise<Reply<Method>> {
  const waiting = (timeoutMs: number | null) => ({
    callerTimeoutMs: timeoutMs ?? MAX_TIMER_MS,
    signal: context.signal,
  });
  switch (call.method) {
    case "run":
      return call.waits
        ? session.run(call.commandLine, waiting(call.timeoutMs))
        : startRun(session, call.commandLine);
    case "type":
      return { seq: await session.type(call.text) };
    case "paste":
      return { seq: await session.paste(call.text) };
    case "send-keys":
      return { seq: await session.sendKeys(call.keys) };
    case "mark":
      return { seq: await session.mark(call.label) };
    case "resize":
      return { seq: await session.resize(call.cols, call.rows) };
    case "signal":
      return { seq: await session.signal(signalNamed(call.signal)) };
    case "wait":
      return answerWait(session, call, { clock: context.clock, ...waiting(call.timeoutMs) });
    case "snapshot": {
      const { format, detail } = call;
      if (format === "text" && !detail.scrollback)
        return { ...snapshotResult(session.id, await session.snapshot(), format) };
      return { ...detailedSnapshotResult(session.id, await session.detailedSnapshot(), format, detail) };
    }
    case "status":
      return { status: session.status(), lastSeq: session.lastSeq() };
    case "destroy":
      return { status: await session.destroy({ force: call.force }) };
    default:
      return call satisfies never;
  }
}

/** Types the command when the shell reads input, however long that takes. Resolves without waiting for the end of the command. */
function startRun(session: Session, commandLine: string): Promise<{ type: "started"; seq: number }> {
  return new Promise((resolve, reject) => {
    session.run(commandLine, { callerTimeoutMs: MAX_TIMER_MS, waits: false }).catch(reject);
    // `run` rejects a refused command at once, before this callback runs.
    setImmediate(() => resolve({ type: "started", seq: session.lastSeq() }));
  });
}

function signalNamed(name: string): NodeJS.Signals {
  const full = name.toUpperCase().startsWith("SIG") ? name.toUpperCase() : `SIG${name.toUpperCase()}`;
  if (Object.hasOwn(constants.signals, full)) return full as NodeJS.Signals;
  throw invalidInput(
    `cannot send the signal ${JSON.stringify(name)}: there is no such signal`,
    "use a name such as SIGINT, SIGTERM, SIGTSTP or SIGKILL",
  );
}
