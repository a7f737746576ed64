import { systemClock, systemIds } from "agent-tty/kit";
import { plainText, redactSecrets } from "../../github/index.ts";
import { type DoctorCheck, examine } from "../../doctor/index.ts";
import { doctorFacts, type DoctorRequest, openProbes } from "../wiring/doctor/index.ts";
import { hangingLines } from "../../layout/index.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import type { CommandView } from "./run-batch-command.ts";

/** `afk-triage doctor`: prints every check with its remedy. Returns 1 when a check failed. */
export async function doctorCommand(request: DoctorRequest, view: CommandView): Promise<number> {
  const { output, asJson } = view;
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    const { facts, environment } = doctorFacts(process.env);
    const ports = { clock: systemClock, ids: systemIds(systemClock) };
    await using probes = await openProbes(request, environment, ports);
    const found = await examine(facts, probes, { clock: systemClock, signal: signals.stop });
    const checks = found.map(printable);
    if (asJson) for (const check of checks) output.event(check);
    output.answer(describeChecks(checks, output));
    output.document({ schema: "afk-triage/doctor@1", checks });
    return checks.some(({ status }) => status === "failed") ? exitCodes.batchFailed : exitCodes.done;
  });
}

/** Returns the check with texts that are safe to print: messages quote other programs and servers. */
function printable(check: DoctorCheck): DoctorCheck {
  const message = plainText(redactSecrets(check.message)).replaceAll(/\s+/g, " ");
  return { ...check, message };
}

const TONES = { ok: "good", warn: "attention", skip: "quiet", failed: "bad" } as const;

function describeChecks(checks: readonly DoctorCheck[], { answerColumns, paint }: Output): string[] {
  const lines = checks.flatMap(({ name, status, message, remedy }) => [
    ...hangingLines(`${paint(TONES[status], status.padEnd(6))}  `, `${name}: ${message}`, answerColumns),
    ...(remedy === null ? [] : hangingLines("        to do: ", plainText(remedy), answerColumns)),
  ]);
  const failures = checks.filter(({ status }) => status === "failed").length;
  const verdict = failures === 0 ? "nothing failed" : `${failures} of ${checks.length} checks failed`;
  return [...lines, "", paint(failures === 0 ? "good" : "bad", verdict)];
}
