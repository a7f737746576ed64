import type { Command } from "commander";
import { openCommandHome } from "./command-home.ts";
import { durationMs } from "./duration.ts";
import type { Finish } from "./program.ts";

type AddCommand = (name: string, description: string) => Command;

/** What is done to a home and its Sessions from outside. */
export function addLifecycleCommands(add: AddCommand, signal: AbortSignal, finish: Finish): void {
  add("gc", "remove the Sessions that are over, and what failed creates left")
    .option("--dry-run", "only say what would be removed")
    .option("--older-than <duration>", "only what has not changed for so long, such as 12h or 7d", "0")
    .action(async (options: { home?: string; dryRun?: boolean; olderThan: string }) => {
      const olderThanMs = durationMs("--older-than", options.olderThan);
      const { gc } = await import("./commands/gc.ts");
      const home = await openCommandHome(options.home);
      finish("gc", await gc(home, { isDryRun: options.dryRun ?? false, olderThanMs, signal }));
    });
}
