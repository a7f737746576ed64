import { OperationalError, messageOf, systemClock } from "../../kit/index.ts";
import { openHomeRegistry } from "../../home/index.ts";
import { type DoctorPorts, examineInstallation, freeBytes } from "../../lifecycle/index.ts";
import { nodePtySpawner } from "../../pty/index.ts";
import { openCommandHome } from "../command-home.ts";
import { inert } from "../inert.ts";
import type { CommandResult } from "../report.ts";
import { wrapped } from "../wrapped.ts";

/** Runs all checks. The exit code is 1 if anything that a Session needs is missing. */
export async function doctor(chosenHome: string | undefined): Promise<CommandResult> {
  const checks = await examineInstallation({
    home: await openedHome(chosenHome),
    clock: systemClock,
    nodeVersion: process.version,
    registry: openHomeRegistry(systemClock),
    spawn: nodePtySpawner(systemClock),
    freeBytes,
  });
  const isHealthy = checks.every(({ status }) => status === "ok");
  const lines = checks.map((check) =>
    check.status === "ok"
      ? `ok      ${check.name}: ${inert(check.detail)}`
      : `failed  ${check.name}: ${inert(check.detail)}. To do: ${inert(check.remedy)}`,
  );
  return {
    result: { healthy: isHealthy, checks },
    text: wrapped(lines.join("\n"), process.stdout),
    exitCode: isHealthy ? 0 : 1,
  };
}

async function openedHome(chosen: string | undefined): Promise<DoctorPorts["home"]> {
  try {
    return { type: "opened", home: await openCommandHome(chosen) };
  } catch (error) {
    const remedy =
      error instanceof OperationalError ? error.remedy : "name a directory that you own with --home";
    return { type: "refused", reason: messageOf(error), remedy };
  }
}
