import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readEvents, type Session, type SessionSpec } from "agent-tty";
import { describe, expect, test } from "vitest";
import { type Engine, engine, PATIENT } from "./engine-fixture.ts";

/** A command line, and how its Waited Run ends: with an exit code, or with the error code for a command that became a shell. */
type Prelude = readonly [commandLine: string, end: number | "RUN_BECAME_SHELL"];

/** Each of these leaves the shell usable, so that several share one Session: what one removes is also missing for the next. */
const ANY_SHELL: readonly Prelude[] = [
  ['PS1="$ "', 0],
  ["PS1= PS2= PS4=", 0],
  ["unset PS1; (exit 3)", 3],
  ["stty -echo", 0],
  ["stty echo -icanon; (exit 4)", 4],
  ["stty sane", 0],
  ["IFS=7", 0],
  ["IFS=; false", 1],
  ["unset IFS", 0],
  ["set -u", 0],
  ["set +u; set -f", 0],
  ["set +f; set -C", 0],
  ["set +C; set -v", 0],
  ["set +v; set -x", 0],
  ["set +x; set -a", 0],
  ["set +a", 0],
  ["POSIXLY_CORRECT=1", 0],
  ["unset POSIXLY_CORRECT", 0],
  ["printf() { :; }", 0],
  ["unset -f printf; exit_() { return 9; }; exit_", 9],
  ["alias printf=false", 0],
  ["unalias printf; alias exit=false", 0],
  ["unalias exit; trap 'true' INT", 0],
  ["trap - INT; trap '' QUIT", 0],
  ["exec 2>/dev/null; (exit 5)", 5],
  ["exec 2>/dev/tty", 0],
  ["exec 3>/dev/null 4>&1", 0],
  ["exec >/dev/null; (exit 6)", 6],
  ["exec >/dev/tty", 0],
  [". ./activate; (exit 7)", 7],
  ["deactivate", 0],
  ["LC_ALL=C; export LC_ALL", 0],
  ["echo \"'\" '\"' '#' \\\\ # a comment with PS1", 0],
  ["PS1=x; if ; then", 2],
  ["PATH=/nowhere", 0],
  ["PATH=/usr/bin:/bin", 0],
];

const HOOKED: readonly Prelude[] = [
  ['PS1="$ "; unset PROMPT_COMMAND', 0],
  ["PROMPT_COMMAND=", 0],
  ["trap - DEBUG", 0],
  ["set +o history", 0],
  ["eval() { :; }; command() { :; }", 0],
  ["unset -f eval command", 0],
  ["readonly PS2", 0],
];

const BASH: readonly Prelude[] = [
  ...HOOKED,
  ["trap 'false' DEBUG", 0],
  ["trap - DEBUG; trap 'true' ERR RETURN; false", 1],
  ["unset -f __tty_hook; PROMPT_COMMAND=(); PS1=''", 0],
  ["PROMPT_COMMAND=('exit_code=9' 'false'); PS0=; PS1=", 0],
  ["shopt -u promptvars expand_aliases; shopt -s extglob", 0],
  ['bind \'"\\C-m": "x"\' 2>/dev/null; true', 0],
  ["set -o posix; set +o posix", 0],
  ["set -T -E", 0],
  ["export TERM=dumb COLUMNS=30", 0],
  ["declare -r PROMPT_COMMAND PS1 PS0", 0],
  ["enable -n test; enable test", 0],
];

const ZSH: readonly Prelude[] = [
  ['PS1="$ "; precmd_functions=() preexec_functions=()', 0],
  ["unset precmd_functions; PROMPT=", 0],
  ["unfunction __tty_precmd __tty_preexec", 0],
  ["setopt no_prompt_percent prompt_subst", 0],
  ["setopt sh_word_split ksh_arrays; unsetopt ksh_arrays", 0],
  ["bindkey -v; bindkey -e", 0],
  ["precmd() { PS1='! '; false }", 0],
  ["readonly PROMPT", 0],
];

/** Each of these needs its own Session, because it starts a shell inside the Session's own or replaces that. */
const NEW_SHELLS: readonly string[] = [
  "exec bash --norc",
  "exec sh",
  "exec dash",
  "exec zsh -f",
  "env -i bash --norc",
  'env -i PS1="$ " sh',
  "bash --norc",
];

type Spec = Pick<SessionSpec, "command" | "shellIntegration">;
const SHELLS: readonly [name: string, spec: Spec, preludes: readonly Prelude[]][] = [
  ["bash with hooks", { command: ["bash", "--norc", "--noediting"], shellIntegration: "automatic" }, BASH],
  ["bash with hooks and a line editor", { command: ["bash", "--norc"], shellIntegration: "automatic" }, BASH],
  ["zsh with hooks", { command: ["zsh"], shellIntegration: "automatic" }, ZSH],
  ["dash", { command: ["dash"] }, []],
];
const isThere = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(":").some((directory) => existsSync(join(directory, program)));
const present = SHELLS.filter(([, { command }]) => isThere(command[0]));

async function started(run: Engine, spec: Spec): Promise<Session> {
  await writeFile(
    join(run.directory, "activate"),
    'OLD_PS1="$PS1"; PS1="(venv) $ "; unset PROMPT_COMMAND precmd_functions\ndeactivate() { PS1="$ "; }\n',
  );
  return run.create(spec);
}

async function endOf(session: Session, commandLine: string): Promise<unknown> {
  try {
    const result = await session.run(commandLine, PATIENT);
    return result.type === "completed" ? result.exitCode : result;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

async function check(session: Session, [commandLine, end]: Prelude): Promise<void> {
  expect({ commandLine, end: await endOf(session, commandLine) }).toEqual({ commandLine, end });
  expect({ after: commandLine, end: await endOf(session, "(\\exit 13)") }).toEqual({
    after: commandLine,
    end: 13,
  });
}

/** Returns the events near the first output with this text, with all control characters; none if no output contains it. */
async function eventsAround(session: Session, text: string): Promise<string[]> {
  const events: string[] = [];
  for await (const { record, bytes } of readEvents(session.directory))
    events.push(JSON.stringify(record.type === "output" ? { output: bytes.toString("latin1") } : record));
  const at = events.findIndex((event) => event.startsWith('{"output":') && event.includes(text));
  return at === -1 ? [] : events.slice(Math.max(0, at - 12), at + 12);
}

test("at least 40 preludes are tried in each kind of shell with hooks (A16)", () => {
  for (const preludes of [BASH, ZSH])
    expect(ANY_SHELL.length + preludes.length + NEW_SHELLS.length).toBeGreaterThanOrEqual(40);
});

describe.concurrent.each(present)("Commands that remove the prompt hooks of %s", (_name, spec, preludes) => {
  test("every such command and the one after it end with the right exit codes (A16, A17)", async () => {
    await using run = await engine();
    const session = await started(run, spec);
    for (const prelude of [...ANY_SHELL, ...preludes]) {
      // dash returns 2 for a syntax error in eval, the others 1.
      await check(
        session,
        prelude[0].endsWith("then") ? [prelude[0], expect.any(Number) as number] : prelude,
      );
    }
    // Reading waits until all output is in the files.
    await session.readOutput({ fromSeq: 1, toSeq: session.lastSeq() }, 1);
    expect(await eventsAround(session, "7717;")).toEqual([]);
  });

  test.runIf(process.platform === "linux").each(preludes.slice(0, 3))(
    "`%s` as the very first command ends with its exit code (A16)",
    async (commandLine, end) => {
      await using run = await engine();
      await check(await started(run, spec), [commandLine, end]);
    },
  );
});

describe.runIf(process.platform === "linux").concurrent("Commands that become a shell", () => {
  test.each(NEW_SHELLS.filter((line) => !line.includes("zsh") || isThere("zsh")))(
    "`%s` is refused with RUN_BECAME_SHELL, and the next runs are typed to that shell (A16)",
    async (commandLine) => {
      await using run = await engine();
      const session = await run.bash();
      await check(session, [commandLine, "RUN_BECAME_SHELL"]);
      await check(session, ["true", 0]);
    },
  );

  test("a shell that reads its commands from a file is treated like any other command (A16)", async () => {
    await using run = await engine();
    await writeFile(join(run.directory, "script"), "sleep 0.8\nexit 5\n");
    const session = await run.bash();
    await check(session, ["sh <script", 5]);
    expect(await endOf(session, "set -e; false || (exit 3) || true")).toBe(0);
    expect(await session.run("set -e; false", PATIENT)).toMatchObject({ type: "interrupted" });
  });
});
