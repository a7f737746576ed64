import { systemClock, systemIds } from "agent-tty/kit";
import { plainText, redactSecrets } from "../../github/index.ts";
import { type DoctorCheck, doctorFacts, type DoctorRequest, examine, openProbes } from "../doctor/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { inertJson } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import type { CommandView } from "./run-batch-command.ts";

/** `afk-triage doctor`: one JSON document on stdout, a list on stderr. Exit code 1 when a check failed. */
export async function doctorCommand(request: DoctorRequest, view: CommandView): Promise<number> {
  const { output, asJson } = view;
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    const { facts, environment } = doctorFacts(process.env);
    const ports = { clock: systemClock, ids: systemIds(systemClock) };
    await using probes = await openProbes(request, environment, ports);
    const found = await examine(facts, probes, { clock: systemClock, signal: signals.stop });
    const checks = found.map(printable);
    for (const check of checks) output.line(asJson ? inertJson(check) : describe(check));
    output.document({ schema: "afk-triage/doctor@1", checks });
    return checks.some(({ status }) => status === "failed") ? exitCodes.batchFailed : exitCodes.done;
  });
}

/** Messages quote programs and servers. */
function printable(check: DoctorCheck): DoctorCheck {
  const message = plainText(redactSecrets(check.message)).replaceAll(/\s+/g, " ");
  return { ...check, message };
}

function describe({ name, status, message, remedy }: DoctorCheck): string {
  const line = `${status.padEnd(6)}  ${name}: ${message}`;
  return remedy === null ? line : `${line}\n        to do: ${plainText(remedy)}`;
}
