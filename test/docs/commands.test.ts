import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, CommanderError } from "commander";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram as buildAgentTty } from "../../src/agent-tty/cli/program.ts";
import { buildProgram as buildAfkTriage } from "../../src/cli/program.ts";
import { type BuiltProgram, buildProgram } from "../support/batch/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { commandsIn, type DocumentedCommand, documents, ROOT } from "./documented-commands.ts";

/** Returns the program's own command definitions with actions that do nothing. */
function inert(command: Command, ran: () => void): Command {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  for (const sub of command.commands) inert(sub, ran);
  if (command.commands.length === 0) command.action(ran);
  return command;
}

async function parses({ program, words }: DocumentedCommand): Promise<string | null> {
  if (program === "npm") return scripts.has(words[0] ?? "") ? null : `there is no script ${words[0]}`;
  let hasRun = false;
  const grammar =
    program === "afk-triage"
      ? buildAfkTriage({ output: () => Promise.reject(new Error("nothing runs")), exitWith: () => undefined })
      : buildAgentTty(
          "0.0.0",
          () => new AbortController().signal,
          () => undefined,
        );
  try {
    await inert(grammar, () => void (hasRun = true)).parseAsync(words, { from: "user" });
  } catch (error) {
    // A command's name alone is a mention, not a call.
    if (words.length === 1 && error instanceof CommanderError && error.code === "commander.missingArgument")
      return null;
    return error instanceof Error ? error.message : String(error);
  }
  return hasRun ? null : "no command was meant";
}

const scripts = new Set(
  Object.keys((JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object }).scripts),
);
const documented = documents().flatMap((file) => commandsIn(file));

test("every command in README and docs exists, with the options and values shown there", async () => {
  expect(documented.length).toBeGreaterThan(40);
  const problems = await Promise.all(
    documented.map(async (command) => {
      const problem = await parses(command);
      return problem === null ? [] : [`${command.where}: ${command.words.join(" ")}: ${problem}`];
    }),
  );
  expect(problems.flat()).toEqual([]);
});

test("the check finds wrong commands, and reads blocks, comments and placeholders", async () => {
  const text = [
    "`afk-triage show N`",
    "```sh",
    "afk-triage frob # a",
    "npm ci && npm run nope",
    "```",
    "```js",
    "agent-tty x",
    "```",
  ];
  const found = commandsIn("x.md", text.join("\n"));
  expect(found.map(({ where, program, words }) => `${where} ${program} ${words.join(" ")}`)).toEqual([
    "x.md:1 afk-triage show 142",
    "x.md:3 afk-triage frob",
    "x.md:4 npm nope",
  ]);
  const problems = await Promise.all(found.map(parses));
  expect(problems).toEqual([null, expect.stringContaining("frob"), expect.stringContaining("nope")]);
  const wrong = { where: "", program: "afk-triage", words: ["run", "--parallelism", "0"] } as const;
  expect(await parses({ ...wrong, words: [...wrong.words] })).toMatch(/1 to 200/);
});

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

test("documented commands that need no network run in an empty home", async () => {
  const offline = ["status", "list --repo owner/name", "config --repo owner/name"];
  const shown = new Set(documented.map(({ words }) => words.join(" ")));
  await using directory = await temporaryDirectory();
  for (const line of offline) {
    expect(shown).toContain(line);
    const env = { PATH: process.env["PATH"] ?? "", HOME: directory.path };
    const { exitCode, stdout } = await program.start(line.split(" "), { cwd: directory.path, env });
    expect({ line, exitCode, schema: (JSON.parse(stdout) as { schema: string }).schema }).toEqual({
      line,
      exitCode: 0,
      schema: expect.stringMatching(/^afk-triage\/\w+@1$/) as string,
    });
  }
});
