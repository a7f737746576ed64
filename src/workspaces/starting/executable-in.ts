import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { ProgramStart } from "./program.ts";

/** Finds the program's file in its own PATH; null if it is not there. A path is returned unchanged. */
export function executableIn({ command: [name], env }: Pick<ProgramStart, "command" | "env">): string | null {
  if (name.includes("/")) return name;
  const directories = (env["PATH"] ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
  return directories.map((directory) => join(directory, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
