import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuiltProgram } from "./program.ts";

/** Changes constants in the text of a program built for one test, to shorten waits. Rejects if nothing changed. */
export async function changeBundle(program: BuiltProgram, change: (text: string) => string): Promise<void> {
  let isChanged = false;
  for (const name of await readdir(program.directory)) {
    if (!/\.c?js$/.test(name)) continue;
    const path = join(program.directory, name);
    const text = await readFile(path, "utf8");
    const changed = change(text);
    if (changed === text) continue;
    isChanged = true;
    await writeFile(path, changed);
  }
  if (!isChanged) throw new Error("the bundle has nothing of what was to be changed");
}

/** Sets members of constants in the same way; rejects if one of them is not found. */
export async function changeConstants(
  program: BuiltProgram,
  constants: RegExp,
  members: Readonly<Record<string, number>>,
): Promise<void> {
  const changed = new Set<string>();
  const change = (constant: string): string =>
    Object.entries(members).reduce((text, [name, value]) => {
      const member = new RegExp(`\\b${name}:[\\d.e]+`);
      if (member.test(text)) changed.add(name);
      return text.replace(member, `${name}:${value}`);
    }, constant);
  await changeBundle(program, (text) => text.replaceAll(constants, change));
  const missed = Object.keys(members).filter((name) => !changed.has(name));
  if (missed.length > 0) throw new Error(`the bundle has no ${missed.join(", ")}`);
}
