import { execa } from "execa";
import { expect, test } from "vitest";
import { completionScript } from "../../src/cli/grammar/index.ts";
import { buildProgram } from "../../src/cli/program.ts";

const grammar = buildProgram({
  output: () => Promise.reject(new Error("nothing runs")),
  exitWith: () => undefined,
});

test("bash completes commands, subcommands, options and choices", async () => {
  const rows: [words: string[], completed: string][] = [
    [["st"], "status stop"],
    [["release", "pr"], "prep"],
    [["run", "--par"], "--parallelism"],
    [["run", "--provider", ""], "coder local"],
    [["run", "--dry-run", "--provider", "l"], "local"],
    [["init", "--only", ""], "labels config workflow sweep"],
    [["completion", ""], "bash zsh fish --json --help"],
  ];
  const script = completionScript(grammar, "bash");
  for (const [words, completed] of rows) {
    const ask = `COMP_WORDS=(afk-triage "$@"); COMP_CWORD=$#; _afk_triage; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await execa("bash", ["-c", `${script}\n${ask}`, "bash", ...words]);
    expect([words, stdout]).toEqual([words, completed]);
  }
});

test("zsh loads its script without an error", async () => {
  const found = await execa("zsh", ["--version"], { reject: false });
  if (found.failed) return;
  const { stderr, exitCode } = await execa("zsh", ["-f", "-n"], {
    input: completionScript(grammar, "zsh"),
    reject: false,
  });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
});

test("the zsh and fish scripts contain every command with its description", () => {
  const descriptions = grammar.commands.map((command) => [command.name(), command.description()] as const);
  const zsh = completionScript(grammar, "zsh");
  const fish = completionScript(grammar, "fish");
  for (const [name, description] of descriptions) {
    const quoted = description.replaceAll("'", String.raw`'\''`);
    expect(zsh).toContain(`'${name}:${quoted.replaceAll(":", String.raw`\:`)}'`);
    expect(fish).toContain(`-a ${name} -d '${quoted}'`);
  }
  expect(fish).toContain("-l provider -x -a 'coder local'");
});
