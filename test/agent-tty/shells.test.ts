import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session, SessionSpec, WaitedRunResult } from "agent-tty";
import { describe, expect, test } from "vitest";
import { engine, leaveRunning, PATIENT } from "./engine-fixture.ts";

type Spec = Pick<SessionSpec, "command"> & Partial<SessionSpec>;

/** All these shells behave the same. `zsh` is not installed on every machine. */
const SHELLS: readonly [name: string, spec: Spec][] = [
  ["bash with hooks", { command: ["bash"], shellIntegration: "automatic" }],
  ["zsh with hooks", { command: ["zsh"], shellIntegration: "automatic" }],
  ["bash", { command: ["bash", "--norc"] }],
  ["a login bash", { command: ["bash", "--norc", "-l"] }],
  ["zsh", { command: ["zsh", "-f"] }],
  ["sh", { command: ["sh"] }],
  ["dash", { command: ["dash"] }],
  ["sh behind a second terminal", { command: ["script", "-qc", "sh", "/dev/null"] }],
  ["bash behind a second terminal", { command: ["script", "-qc", "bash --norc --noediting", "/dev/null"] }],
];

const present = SHELLS.filter(([, { command }]) =>
  (process.env["PATH"] ?? "").split(":").some((directory) => existsSync(join(directory, command[0]))),
);

describe.concurrent.each(present)("Narrow Waited Runs in %s", (_name, spec) => {
  test.each([24, 31, 37, 41])(
    "a line editor that wraps the typed text at %i columns leaves no mark (A17)",
    async (cols) => {
      await using started = await engine();
      const session = await started.create({ ...spec, cols, rows: 12 });
      for (const words of ["one", "two three", "0077 1177 ; printf and some more words"])
        expect(await session.run(`echo '${words}'; (exit 4)`, PATIENT)).toMatchObject({ exitCode: 4 });
      await holdsNoMark(session);
      expect(await session.readOutput({ fromSeq: 1, toSeq: session.lastSeq() }, 100_000)).not.toContain(
        "033",
      );
    },
  );
});

describe.concurrent.each(present)("Waited Runs in %s", (_name, spec) => {
  test("a Waited Run returns the exit code and output, whatever the command does to its terminal (A16)", async () => {
    await using started = await engine();
    const session = await started.create(spec);
    await check(session, "echo hi", 0, "hi");
    await check(session, "(exit 7)", 7, "");
    await check(session, "cd / && pwd", 0, "/");
    await check(session, "pwd", 0, "/");
    await check(session, "echo 'a\nb'\nfor i in 1 2\ndo\n  echo $i\ndone", 0, "a\nb\n1\n2");
    await check(session, 'cat <<X\nit\'s $((1+1)) "quoted"\nX', 0, 'it\'s 2 "quoted"');
    await check(session, "printf 'no newline'", 0, "no newline");
    await check(session, "PS1='changed> '; PS2=; false", 1, "");
    await check(session, "printf '\\033[2J\\033[H'", 0);
    await check(session, "clear || true", 0);
    await check(session, `x='${"é".repeat(3_000)}'; echo \${#x} >/dev/null`, 0, "");
    await check(session, "sh -c 'kill -9 $$'", 137);
    await check(session, "true", 0, "");
    await holdsNoMark(session);
  });

  test("control characters and history expansion marks in a command reach the shell unchanged (A16)", async () => {
    await using started = await engine();
    const session = await started.create(spec);
    const all = String.fromCharCode(...Array.from({ length: 31 }, (_, index) => index + 1), 127);
    await check(session, "(exit 5)", 5);
    await check(
      session,
      `printf %s.%s "$?" '${all}!!\\n' | od -An -v -tx1 | tr -d ' \\n'`,
      0,
      hex(`5.${all}!!\\n`),
    );
    await check(session, "if true; then\n\techo 'a\tb\u0003'\r\n(exit 6)\nfi", 6);
    await check(session, "echo next", 0, "next");
    await holdsNoMark(session);
  });

  test("a command that reads the terminal receives what is typed, and its end is seen even after a timeout (A16)", async () => {
    await using started = await engine();
    const session = await started.create(spec);
    await check(session, "true", 0);
    const reading = session.run('echo asking; read -r line; echo "got $line"; (exit 3)', PATIENT);
    await session.wait({ regex: "asking$" }, PATIENT);
    await session.type("an answer\n");
    expect(await reading).toMatchObject({ type: "completed", exitCode: 3 });
    expect((await session.snapshot()).visibleLines).toContain("got an answer");
    await leaveRunning(session, "echo waiting; read -r line; (exit 9)");
    // zsh's line editor changes input that is typed before it hands over the terminal.
    await session.wait({ regex: "waiting$" }, PATIENT);
    await session.type("\n");
    await check(session, "echo next", 0, "next");
    await holdsNoMark(session);
  });

  test("an answer of the terminal that no program has read is not part of the next command (A16)", async () => {
    await using started = await engine();
    const session = await started.create(spec);
    // A bash that edits lines also with the keys of vi, where an answer begins with the key of the command mode.
    for (const keys of ["true", "! shopt -qo emacs 2>/dev/null || set -o vi"]) {
      await check(session, keys, 0);
      for (const query of ["[6n", "[c", "[?996n", "[>q", "]11;?\\033\\\\"]) {
        await check(session, `printf '\\033${query}'; (exit 4)`, 4);
        await check(session, "echo next", 0, "next");
      }
    }
    await holdsNoMark(session);
  });

  test("an incomplete or invalid command ends, and the next one runs (A16)", async () => {
    await using started = await engine();
    const session = await started.create(spec);
    for (const commandLine of [
      "echo 'open quote",
      "cat <<END",
      "if ; then",
      "echo one\nif ; then\necho never",
    ]) {
      const result = await session.run(commandLine, PATIENT);
      expect({ commandLine, type: result.type }).toEqual({ commandLine, type: "completed" });
      await check(session, "echo next", 0, "next");
    }
    expect((await session.snapshot()).visibleLines.join("\n")).not.toMatch(/^never/m);
  });
});

test.runIf(present.some(([name]) => name === "zsh"))(
  "zsh keeps the person's own start files and prompt in addition to the hooks (A16)",
  async () => {
    await using started = await engine();
    await writeFile(join(started.directory, ".zshenv"), "OWN_ENV=1\n");
    await writeFile(
      join(started.directory, ".zshrc"),
      "PS1='mine> '\nprecmd_functions=(own_hook)\nown_hook() { own=$? }\n",
    );
    const session = await started.create({ command: ["zsh", "-i"], shellIntegration: "automatic" });
    await check(session, 'echo "$OWN_ENV $own ${ZDOTDIR-none}"', 0, "1 0 none");
    await check(session, "(exit 4)", 4);
    await check(session, "echo $own", 0, "4");
    await check(session, "PS1='other> '; PS2=", 0);
    await check(session, "precmd_functions=(); (exit 5)", 5);
    await check(session, "(exit 6)", 6);
    await check(session, "preexec_functions=(); echo bare", 0);
    await check(session, "echo '!!' done", 0, "!! done");
    expect((await session.snapshot()).visibleLines.join("\n")).toContain("mine> ");
  },
);

test.runIf(present.some(([name]) => name === "zsh"))(
  "zsh gets the hooks even if the person's .zshenv chooses another directory of start files (A15, A16)",
  async () => {
    await using started = await engine();
    const own = join(started.directory, "it's own");
    await mkdir(own);
    await writeFile(join(started.directory, ".zshenv"), `ZDOTDIR="$HOME/it's own"\n`);
    await writeFile(join(own, ".zshrc"), "PS1='mine> '\nread_from=$ZDOTDIR\n");
    const session = await started.create({ command: ["zsh"], shellIntegration: "automatic" });
    await check(session, "(exit 4)", 4, "");
    await check(session, 'echo "$read_from"', 0, own);
    await check(session, 'echo "$ZDOTDIR ${__TTY_OWN_ZDOTDIR-none}"', 0, `${own} none`);
    const moved = await started.create({
      command: ["zsh"],
      shellIntegration: "automatic",
      env: { ...started.env, HOME: "/", ZDOTDIR: own },
    });
    await check(moved, 'echo "$read_from $ZDOTDIR"', 0, `${own} ${own}`);
  },
);

async function check(
  session: Session,
  commandLine: string,
  exitCode: number,
  output?: string,
): Promise<void> {
  const result: WaitedRunResult = await session.run(commandLine, PATIENT);
  expect({ commandLine, result }).toMatchObject({ result: { type: "completed", exitCode } });
  if (output === undefined) return;
  const text = (await session.readOutput(result.output, 100_000)).trimEnd();
  expect({ commandLine, text }).toEqual({
    commandLine,
    text: expect.stringMatching(endsWith(output)) as string,
  });
}

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}

/** Matches output that ends like this: without hooks the echo of the typed line comes first. */
function endsWith(output: string): RegExp {
  return new RegExp(`(?:^|\\n|\\r)[^\\n]*${output.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
}

async function holdsNoMark(session: Session): Promise<void> {
  await session.mark("end");
  const bytes = await readFile(join(session.directory, "output.bin"), "latin1");
  expect(bytes).not.toMatch(/7717;[0-9a-f]{16}|\x1b\]7717/);
}
