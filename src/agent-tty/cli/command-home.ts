import type { Home } from "../home/index.ts";
import { systemClock, systemIds } from "../kit/index.ts";
import { usageError } from "./usage.ts";

/**
 * Opens the home that a command works in and remembers it for `home list`. Its code is loaded only by commands that need a home;
 * help and usage errors do not.
 */
export async function openCommandHome(chosen: string | undefined): Promise<Home> {
  if (chosen === "")
    throw usageError("--home takes a directory, not an empty string", "Give a directory, or omit --home");
  const { defaultHomeDirectory, openHome, openHomeRegistry } = await import("../home/index.ts");
  const directory = chosen ?? defaultHomeDirectory(process.env);
  const home = await openHome({ directory, clock: systemClock, ids: systemIds(systemClock) });
  // The list of homes is only a convenience, so a command must not fail because of it. `doctor` reports when the default home
  // cannot be used.
  await openHomeRegistry(systemClock)
    .remember(directory)
    .catch(() => undefined);
  return home;
}
