import { OperationalError } from "agent-tty/kit";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { connectToOwner, findRun, isSettled, type RunAddress } from "./run-of-issue.ts";

/** `send N TEXT` (H39): SEND_REFUSED, with its reason, when the Triage Agent is not ready for it; then nothing was typed. */
export async function sendText(
  number: number,
  text: string,
  address: RunAddress,
  output: Output,
): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    using run = await findRun("send to", number, address);
    const row = run.read();
    if (isSettled(row)) throw notActive(row.key);
    await using parent = await connectToOwner("send to", run, row);
    const { repo } = row.facts;
    const reply = await parent.call({ method: "send", repo, number, text }, signals.stop);
    if (reply.type === "no-active-run") throw notActive(row.key);
    if (reply.type === "refused") {
      throw new OperationalError<CliErrorCode>({
        code: "SEND_REFUSED",
        message: `send to ${row.key}: nothing was typed: ${reply.reason}`,
        remedy: reply.remedy,
      });
    }
    output.line(`${row.key}: sent`);
    output.document({ schema: "afk-triage/control@1", command: "send", result: "sent", run: row });
    return exitCodes.done;
  });
}

function notActive(key: string): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "RUN_NOT_ACTIVE",
    message: `send to ${key}: it has no active run`,
    remedy: "See `afk-triage status` for the runs under way.",
  });
}
