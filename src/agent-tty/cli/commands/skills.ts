import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inert } from "../inert.ts";
import type { CommandResult } from "../report.ts";
import { usageError } from "../usage.ts";
import { wrapped } from "../wrapped.ts";

/** Selects the skills of this program: the same package has others, too. */
const OWN = /^agent-tty/;

interface Skill {
  name: string;
  description: string;
  path: string;
  text: string;
}

/** Lists the packaged skills by name and description, with the path of each. */
export async function skillsList(): Promise<CommandResult> {
  const skills = (await readSkills()).map(({ name, description, path }) => ({ name, description, path }));
  const lines = skills.map(({ name, description }) => `${inert(name)}  ${inert(description)}`);
  return { result: { skills }, text: wrapped(lines.join("\n"), process.stdout) };
}

/** Returns the text of one packaged skill. Rejects with a usage error that lists the known names. */
export async function skillsGet(name: string): Promise<CommandResult> {
  const { path, text } = await findSkill(name);
  return { result: { name, path, text }, text: text.trimEnd() };
}

/** Returns the directory to link into an agent's skills. */
export async function skillsPath(name: string): Promise<CommandResult> {
  const directory = dirname((await findSkill(name)).path);
  return { result: { name, path: directory }, text: directory };
}

async function findSkill(name: string): Promise<Skill> {
  const skills = await readSkills();
  const found = skills.find((skill) => skill.name === name);
  if (found !== undefined) return found;
  const names = skills.map((skill) => skill.name).join(", ");
  throw usageError(
    `there is no skill ${JSON.stringify(name)}`,
    `Name one of: ${names || "none is installed"}`,
  );
}

async function readSkills(): Promise<Skill[]> {
  for (const directory of skillDirectories()) {
    const names = await readdir(directory).catch(() => []);
    const own = names.filter((name) => OWN.test(name));
    if (own.length > 0) return Promise.all(own.map((name) => readSkill(join(directory, name, "SKILL.md"))));
  }
  return [];
}

async function readSkill(path: string): Promise<Skill> {
  const text = await readFile(path, "utf8");
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] ?? "";
  return { name: field("name"), description: field("description"), path, text };
}

/** Returns `skills` in each directory above this file, nearest first: the package's own is found first, bundled or not. */
function skillDirectories(): string[] {
  const directories: string[] = [];
  let directory = dirname(fileURLToPath(import.meta.url));
  while (dirname(directory) !== directory) {
    directory = dirname(directory);
    directories.push(join(directory, "skills"));
  }
  return directories;
}
