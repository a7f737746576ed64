import { shellQuote } from "agent-tty/kit";
import type { Product } from "../controls/index.ts";
import type { MissingThing } from "../decide/index.ts";
import type { Patience, Place } from "../place.ts";
import { PRISTINE } from "./turn.ts";

/** Returns whether a name occurs anywhere in the checkout: in sources, types, documents or tests. */
export async function isMentioned(
  name: string,
  { workspace, directory }: Pick<Place, "workspace" | "directory">,
  { signal, remainingMs }: Patience,
): Promise<boolean> {
  const commandLine = `cd -- ${shellQuote(`${directory}/${PRISTINE}`)} && grep -rIqwF --exclude-dir=.git -e ${shellQuote(name)} .`;
  const result = await workspace.exec(commandLine, { timeoutMs: Math.min(60_000, remainingMs()), signal });
  return result.type === "exited" && result.exitCode === 0;
}

/**
 * Returns whether the message may come from the product itself: it names one of the product's sources, or a source contains its
 * phrase.
 */
export async function isOfProduct(
  { phrase, lines }: Pick<MissingThing, "phrase" | "lines">,
  { replaced }: Pick<Product, "replaced">,
  { workspace, directory }: Pick<Place, "workspace" | "directory">,
  { signal, remainingMs }: Patience,
): Promise<boolean> {
  if (replaced.some((path) => lines.includes(path))) return true;
  const commandLine = `cd -- ${shellQuote(`${directory}/${PRISTINE}`)} && xargs -0 -r cat -- | grep -qaiF -e ${shellQuote(phrase)}`;
  const stdin = Buffer.from(replaced.map((path) => `${path}\0`).join(""));
  const options = { timeoutMs: Math.min(60_000, remainingMs()), signal, stdin };
  const result = await workspace.exec(commandLine, options);
  return result.type === "exited" && result.exitCode === 0;
}
