import type { Home } from "../home/index.ts";
import { systemClock, systemIds } from "../kit/index.ts";
import { usageError } from "./usage.ts";

/** The home that a command works in; remembered for `home list`. Loaded by a command that needs one: help and usage errors do not. */
export async function openCommandHome(chosen: string | undefined): Promise<Home> {
  if (chosen === "")
    throw usageError("--home takes a directory, not an empty text", "Name one, or leave --home out");
  const { defaultHomeDirectory, openHome, openHomeRegistry } = await import("../home/index.ts");
  const directory = chosen ?? defaultHomeDirectory(process.env);
  const home = await openHome({ directory, clock: systemClock, ids: systemIds(systemClock) });
  // A convenience: a command must not fail for it. `doctor` says when the default home cannot be used.
  await openHomeRegistry(systemClock)
    .remember(directory)
    .catch(() => undefined);
  return home;
}
