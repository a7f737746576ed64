import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exportAsciicast, type Session, type WaitedRunResult } from "agent-tty";
import { describe, expect, test } from "vitest";
import { engine, NONCE, leaveRunning, PATIENT } from "./engine-fixture.ts";

describe("a Waited Run in bash with prompt hooks", () => {
  test("a Waited Run completes with the exit code and exactly the command's output (A15, A16)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const check = async (commandLine: string, exitCode: number, output?: string): Promise<void> => {
      const result = await session.run(commandLine, PATIENT);
      expect({ commandLine, result }).toMatchObject({ result: { type: "completed", exitCode } });
      if (output !== undefined) expect(await session.readOutput(result.output, 10_000)).toBe(output);
    };
    await check("echo hi", 0, "hi\n");
    await check("(exit 7)", 7, "");
    await check("echo $?", 0, "7\n");
    await check("false\ntrue", 0, "");
    await check("for i in 1 2\ndo\n  echo $i\ndone", 0, "1\n2\n");
    await check("cat <<X\nfrom a here-document\nX", 0, "from a here-document\n");
    await check(`x='${"é".repeat(9_000)}'; echo \${#x}`, 0);
    await check("printf 'no newline'", 0, "no newline");
    await check("printf 'tab\\there'; echo '\ta\u0001b'", 0);
    await check("echo '!!' \"it's\" $((1+1))", 0, "!! it's 2\n");
    await check("cd / && pwd", 0, "/\n");
    await check("pwd", 0, "/\n");
  });

  test("a command that the shell finds incomplete or invalid ends at once with its exit code (A16)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const check = async (commandLine: string, exitCode: number): Promise<void> => {
      expect(await session.run(commandLine, PATIENT)).toMatchObject({ type: "completed", exitCode });
      expect(await session.run("echo next", PATIENT)).toMatchObject({ type: "completed", exitCode: 0 });
    };
    await check("echo 'open quote", 130);
    await check("cat <<END", 130);
    await check("echo \\", 130);
    await check("if ; then", 2);
    await check("echo one\nif ; then\necho never", 2);
    await check("echo 'open\nquote", 2);
    expect((await session.snapshot()).visibleLines.join("\n")).not.toMatch(/^never/m);
  });

  test("the end of commands that change the prompt, its hooks, traps, options or stderr is still detected (A16)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const check = async (commandLine: string): Promise<void> => {
      const [changing, after] = [
        await session.run(commandLine, PATIENT),
        await session.run("(exit 3)", PATIENT),
      ];
      const codes = [changing, after].map(exitCodeOf);
      expect({ commandLine, codes }).toEqual({ commandLine, codes: [0, 3] });
    };
    await check("PS1='other> ' PS2= PS0=");
    await check("PROMPT_COMMAND='echo prompt'; PS1='> '");
    await check("set -x");
    await check("set +x -u");
    await check("trap 'echo debug' DEBUG");
    await check("trap - DEBUG");
    await check("clear");
    await check("exec 2>/dev/null");
    await check("exec 2>/dev/tty");
    await check("unset PROMPT_COMMAND");
    await check("set -o posix");
  });

  test("a command that reads the terminal does not consume the next command (A16)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const reading = session.run('read -r line; echo "got $line"', PATIENT);
    await session.wait({ text: "read -r line" }, PATIENT);
    await session.type("an answer\n");
    expect(await reading).toMatchObject({ type: "completed", exitCode: 0 });
    expect((await session.snapshot()).visibleLines).toContain("got an answer");
  });

  test("a run after lines that were typed before it ends with its own exit code (A16)", async () => {
    await using started = await engine();
    const edited = await started.create({ command: ["bash", "--norc"], shellIntegration: "automatic" });
    for (const session of [await started.bash(), edited]) {
      const check = async (keys: string, exitCode: number): Promise<void> => {
        await session.type(keys);
        const result = await session.run(`sleep 0.1; (exit ${exitCode})`, PATIENT);
        expect({ keys, result }).toMatchObject({ keys, result: { type: "completed", exitCode } });
      };
      await check("sleep 0.2\nsleep 0.2\nfalse\n", 7);
      await check("\r\r\r", 8);
      await check("for i in 1 2\ndo sleep 0.1\ndone\n", 9);
      await check("read -r a; read -r b\none\ntwo\n", 10);
      await check("sleep 20\n\x03true\ntrue\n", 11);
    }
  });

  test("after a caller timeout the command continues and its later completion is recognised (A16, A17)", async () => {
    await using started = await engine();
    const session = await started.bash();
    await session.run("true", PATIENT);
    await leaveRunning(session, "read -r; echo late; (exit 9)");
    const blocked = await session.run("echo not typed", { callerTimeoutMs: 50 });
    expect(blocked).toMatchObject({ type: "timed-out", accepted: false });
    const next = session.run("echo after", PATIENT);
    await session.type("\n");
    const result = await next;
    expect(result).toMatchObject({ type: "completed", exitCode: 0 });
    expect(await session.readOutput(result.output, 1_000)).toBe("after\n");
    const log = await readFile(join(session.directory, "events.jsonl"), "utf8");
    expect(log).toContain('"run-completed","run":2,"exitCode":9');
    expect(log).not.toContain("not typed");
  });

  test("an abort rejects, and the command continues (A16)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const aborting = new AbortController();
    const waiting = session.run("read -r", { ...PATIENT, signal: aborting.signal });
    await session.wait({ text: "read -r" }, PATIENT);
    aborting.abort(new Error("the caller left"));
    await expect(waiting).rejects.toThrow("the caller left");
    await session.type("\n");
    expect(await session.run("true", PATIENT)).toMatchObject({ type: "completed", exitCode: 0 });
  });

  test("the end of the Session interrupts its runs, and later runs are refused (A16, A18)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const [first, second] = await Promise.all([
      session.run("exit 5", PATIENT),
      session.run("echo never", PATIENT),
    ]);
    const exit = { type: "code", code: 5 };
    expect(first).toMatchObject({ type: "interrupted", exit });
    expect(second).toMatchObject({ type: "interrupted", exit });
    await expect(session.run("true", PATIENT)).rejects.toMatchObject({ code: "SESSION_NOT_RUNNING" });
    await session.destroy();
    await expect(session.run("true", PATIENT)).rejects.toMatchObject({ code: "SESSION_ALREADY_DESTROYED" });
  });

  test("a shell's report while its Session is destroyed does not complete its command (A16)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const dying = session.run(`trap 'echo hung up' HUP; sleep 100 & echo it w''aits; wait`, PATIENT);
    await session.wait({ text: "it waits" }, PATIENT);
    const queued = session.run("echo never", PATIENT);
    await session.destroy();
    expect(await dying).toMatchObject({ type: "interrupted" });
    expect(await queued).toMatchObject({ type: "interrupted" });
    expect(await readFile(join(session.directory, "events.jsonl"), "utf8")).not.toContain("run-completed");
  });

  test("runs of one Session are serialised (A16)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => session.run(`(exit ${index})`, PATIENT)),
    );
    expect(results.map(exitCodeOf)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test("artifacts contain no mark, even if a command prints one in pieces (A17)", async () => {
    await using started = await engine();
    const session = await started.bash();
    await session.run("echo plain", PATIENT);
    await session.run(`printf '\\033]77'; sleep 0.02; printf '17;wrongnonce;D;0\\007 kept'`, PATIENT);
    await session.run(`printf '\\033]7717;${NONCE}'; sleep 0.02; printf ';D;0\\007'`, PATIENT);
    await session.run("exit", PATIENT);
    await session.exited;
    const cast = join(started.directory, "x.cast");
    await exportAsciicast(started.home, session.id, cast);
    for (const path of [join(session.directory, "output.bin"), cast]) {
      const bytes = await readFile(path, "latin1");
      expect(bytes).toContain("plain");
      expect(bytes).toContain("wrongnonce");
      for (const escape of ["\x1b", "\\u001b"]) expect(bytes).not.toContain(`${escape}]7717;${NONCE}`);
    }
  });
});

describe("a Waited Run in a shell without our hooks", () => {
  test("sh reports exit codes through the typed line, and the mark stays hidden (A16)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["sh", "-i"] });
    const check = async (commandLine: string, exitCode: number): Promise<void> =>
      expect(await session.run(commandLine, PATIENT)).toMatchObject({ type: "completed", exitCode });
    await check("echo hi", 0);
    await check("(exit 4)", 4);
    await check("echo 'it'\\''s'\necho two", 0);
    await check("echo 'open quote", 2);
    await check("echo done", 0);
    await session.run("exit 3", PATIENT);
    await expectNoMark(session);
  });

  test("a program known not to be a shell is refused at once, except while a run of it is active (A15, A16)", async () => {
    await using started = await engine();
    const direct = await started.app("show-keys.mjs");
    await direct.wait({ text: "ready" }, PATIENT);
    await expect(direct.run("echo hi", PATIENT)).rejects.toMatchObject({ code: "NOT_A_SHELL" });
    expect((await direct.snapshot()).visibleLines[1]).toBe("");
    const shell = await started.create({ command: ["sh"] });
    const waiting = shell.run(
      `${process.execPath} -e 'console.log("up"); process.stdin.once("data", () => process.exit(4))'`,
      PATIENT,
    );
    await shell.wait({ regex: "up$" }, PATIENT);
    const next = shell.run("echo next", PATIENT);
    await shell.type("\n");
    expect(await waiting).toMatchObject({ type: "completed", exitCode: 4 });
    expect(await next).toMatchObject({ type: "completed", exitCode: 0 });
  });

  test("a program of Node.js 24, whose process has the name of its main thread, is refused as well (A15)", async () => {
    await using started = await engine();
    const script = `require("fs").writeFileSync("/proc/self/comm", "MainThread"); console.log("up"); process.stdin.resume()`;
    const session = await started.create({ command: [process.execPath, "-e", script] });
    await session.wait({ text: "up" }, PATIENT);
    await expect(session.run("echo hi", PATIENT)).rejects.toMatchObject({
      code: "NOT_A_SHELL",
      message: expect.stringContaining("node"),
    });
  });

  test("a run in a program that is neither a shell nor known not to be one times out and returns its screen (A16)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["cat"] });
    const result = await session.run("echo hi", { callerTimeoutMs: 1_000 });
    expect(result).toMatchObject({ type: "timed-out", accepted: true });
    expect(result.type === "timed-out" && result.visibleText).toContain("echo hi");
  });
});

async function expectNoMark(session: Session): Promise<void> {
  const output = await readFile(join(session.directory, "output.bin"), "latin1");
  expect(output).not.toContain("\x1b]7717");
  expect(output).not.toContain("7717;%s%s");
}

function exitCodeOf(result: WaitedRunResult): number | null {
  return result.type === "completed" ? result.exitCode : null;
}
