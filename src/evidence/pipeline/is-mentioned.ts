import { shellQuote } from "../../workspaces/index.ts";
import type { Patience, Place } from "../place.ts";
import { PRISTINE } from "./turn.ts";

/** Whether a name stands anywhere in the checkout: sources, types, documents or tests. */
export async function isMentioned(
  name: string,
  { workspace, directory }: Pick<Place, "workspace" | "directory">,
  { signal, remainingMs }: Patience,
): Promise<boolean> {
  const commandLine = `cd -- ${shellQuote(`${directory}/${PRISTINE}`)} && grep -rIqwF --exclude-dir=.git -e ${shellQuote(name)} .`;
  const result = await workspace.exec(commandLine, { timeoutMs: Math.min(60_000, remainingMs()), signal });
  return result.type === "exited" && result.exitCode === 0;
}
