import { OperationalError } from "agent-tty/kit";
import { type SendErrorCode, sendRefusals } from "../../tui/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { connectToOwner, isSettled } from "../../home/index.ts";
import { findRun, type RunAddress } from "./run-of-issue.ts";

/**
 * Implements `send N TEXT` (H39). Nothing was typed after TUI_NOT_READY (the Triage Agent's TUI is not ready; with the reason)
 * and SEND_REFUSED (it takes no input at all). After TUI_SUBMIT_LOST the text was typed, but perhaps not submitted.
 */
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
      const isTuiRefusal = sendRefusals.some((refusal) => refusal === reply.reason);
      throw new OperationalError<CliErrorCode | SendErrorCode>({
        code: isTuiRefusal ? "TUI_NOT_READY" : "SEND_REFUSED",
        message: `send to ${row.key}: nothing was typed${
          reply.reason === "takes-no-input"
            ? ", because the Triage Agent takes no input"
            : `: ${reply.reason}`
        }`,
        remedy: reply.remedy,
      });
    }
    output.answer([`${row.key}: sent`]);
    output.document({ schema: "afk-triage/control@1", command: "send", result: "sent", run: row });
    return exitCodes.done;
  });
}

function notActive(key: string): OperationalError<CliErrorCode> {
  return new OperationalError({
    code: "RUN_NOT_ACTIVE",
    message: `send to ${key}: it has no active run`,
    remedy: "`afk-triage status` lists the running Triage Runs.",
  });
}
