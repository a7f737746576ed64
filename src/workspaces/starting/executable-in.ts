import { delimiter, isAbsolute, join } from "node:path";
import { isExecutableFile } from "agent-tty";
import type { ProgramStart } from "./program.ts";

/**
 * Returns the path of the program's file, found in its own PATH, or null if it is not there. A name that is a path is returned
 * unchanged.
 */
export function executableIn({ command: [name], env }: Pick<ProgramStart, "command" | "env">): string | null {
  if (name.includes("/")) return name;
  const directories = (env["PATH"] ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
  return directories.map((directory) => join(directory, name)).find(isExecutableFile) ?? null;
}
