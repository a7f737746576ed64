import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "agent-tty";
import { describe, expect, test } from "vitest";
import { engine, leaveRunning, PATIENT } from "./engine-fixture.ts";

async function check(session: Session, commandLine: string, exitCode: number, text?: string): Promise<void> {
  const result = await session.run(commandLine, PATIENT);
  expect(result, `${commandLine}: ${JSON.stringify(result)}`).toMatchObject({ type: "completed", exitCode });
  if (text === undefined || result.type !== "completed") return;
  expect((await session.readOutput(result.output, 10_000)).trim()).toContain(text);
}

/** Returns when the program runs: a shell that has not started it yet can take an interrupt for itself, and then start it. */
async function leaveSleeping(session: Session, name: string): Promise<void> {
  await leaveRunning(session, `sh -c 'echo ${name} "sleep"; exec sleep 100'`);
  await session.wait({ text: `${name} sleep` }, PATIENT);
}

/** More than twice as long as an inner shell must exist before anything is typed to it. */
const LONG_ENOUGH = { callerTimeoutMs: 600 };

async function holdsNoMark(session: Session): Promise<void> {
  const output = await session.readOutput({ fromSeq: 1, toSeq: session.lastSeq() }, 1_000_000);
  expect(output).not.toMatch(/7717|__tty|printf '/);
}

describe.runIf(process.platform === "linux")("Waited Runs in a shell inside the Session's own", () => {
  test.concurrent.each(["bash --norc", "sh"])(
    "a Waited Run works in an inner %s and again after leaving it (A16, A17)",
    async (shell) => {
      await using started = await engine();
      const session = await started.bash();
      await check(session, "echo before", 0, "before");
      await leaveRunning(session, shell);
      await check(session, "echo inside; (exit 9)", 9, "inside");
      await check(session, "for i in 1 2\ndo echo $i\ndone", 0, "1\n2");
      await leaveRunning(session, shell);
      await check(session, "(exit 8)", 8);
      await check(session, "exit 5", 5);
      await check(session, "echo between; (exit 4)", 4, "between");
      await check(session, "exit 3", 3);
      await check(session, "echo after; (exit 2)", 2, "after");
      await holdsNoMark(session);
    },
  );

  test.concurrent.each(["exec bash --norc", "exec sh"])(
    "a Waited Run works in a shell that replaced the one with hooks by `%s` (A16)",
    async (shell) => {
      await using started = await engine();
      const session = await started.bash();
      await leaveRunning(session, shell);
      await check(session, "echo one; (exit 9)", 9, "one");
      await check(session, "echo two", 0, "two");
      await holdsNoMark(session);
      expect(await session.run("exit 6", PATIENT)).toMatchObject({
        type: "interrupted",
        exit: { type: "code", code: 6 },
      });
    },
  );

  test.concurrent("a Waited Run works behind an ssh for whose end nobody waits (A16, A17)", async () => {
    await using started = await engine();
    // A shell under this name, with an argument that looks like a host.
    await symlink("/bin/bash", join(started.directory, "ssh"));
    const remote = "while IFS= read -r -p 'remote$ ' line; do eval \"$line\"; done";
    await writeFile(join(started.directory, "host"), remote);
    const session = await started.bash();
    const connected = session.run("./ssh host", { ...PATIENT, waits: false });
    await session.wait({ text: "remote$" }, PATIENT);
    await check(session, "echo inside; (exit 9)", 9, "inside");
    await session.sendKeys(["Ctrl+D"]);
    expect(await connected).toMatchObject({ type: "completed" });
  });

  test.concurrent.each([
    ["sh", [], ""],
    ["bash --posix", [], ""],
    ["a bash without its hooks", ["PS1='> ' PS0= PROMPT_COMMAND=()"], ""],
    ["an inner bash --norc", [], "bash --norc"],
  ] as const)("after an interrupt, Waited Runs go on in %s (A15, A17)", async (name, preludes, inner) => {
    await using started = await engine();
    const command = (name === "sh" ? ["sh"] : ["bash", "--norc", "--posix"]) as [string, ...string[]];
    const session = await (name.includes(" bash") ? started.bash() : started.create({ command }));
    for (const line of preludes) await session.run(line, PATIENT);
    if (inner !== "") await leaveRunning(session, inner);
    await leaveSleeping(session, "first");
    await session.sendKeys(["Ctrl+C"]);
    await check(session, "echo one; (exit 9)", 9, "one");
    await leaveSleeping(session, "second");
    const waited = session.run("echo two", PATIENT);
    await session.signal("SIGINT");
    expect(await waited).toMatchObject({ type: "completed", exitCode: 0 });
  });

  test.concurrent.each(["sh", "bash --norc --posix"])(
    "a program that dies of SIGINT ends its Waited Run in %s, although no key was pressed (A15, A17)",
    async (shell) => {
      await using started = await engine();
      const session = await started.create({ command: shell.split(" ") as [string, ...string[]] });
      await check(session, "echo one; (exit 9)", 9, "one");
      await session.wait({ regex: String.raw`^\S*[#$]$` }, PATIENT);
      await check(session, "sh -c 'kill -INT $$'", 130);
      await check(session, "echo two", 0, "two");
      await leaveRunning(session, "sleep 0.5; sh -c 'kill -INT $$'");
      await check(session, "echo three", 0, "three");
      const reading = await session.run("read -r line", { callerTimeoutMs: 1_500 });
      expect(reading).toMatchObject({ type: "timed-out", accepted: true });
    },
  );

  test.concurrent("a shell without hooks that shows its prompt late does not end a builtin that reads (A16, A17)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["sh"] });
    await session.run("PS1='$(sleep 0.1)ready$ '", PATIENT);
    await session.wait({ regex: String.raw`^ready\$$` }, PATIENT);
    await check(session, "echo one", 0, "one");
    const reading = await session.run("read -r line", { callerTimeoutMs: 1_500 });
    expect(reading).toMatchObject({ type: "timed-out", accepted: true });
  });

  test.concurrent("an interrupt does not end a Waited Run whose program goes on (A17)", async () => {
    await using started = await engine();
    const session = await started.create({ command: ["sh"] });
    await leaveRunning(session, "bash -c 'trap \"echo caught\" INT; while :; do sleep 0.1; done'");
    await session.sendKeys(["Ctrl+C"]);
    await session.wait({ text: "caught" }, PATIENT);
    const queued = await session.run("echo queued", { callerTimeoutMs: 900 });
    expect(queued).toMatchObject({ type: "timed-out", accepted: false });
  });

  test.concurrent("a Waited Run types nothing to a script or to a busy shell (A17)", async () => {
    await using started = await engine();
    const session = await started.bash();
    await leaveRunning(session, "sh -c 'read -r line; echo script got $line'");
    const queued = await session.run("echo queued", LONG_ENOUGH);
    expect(queued).toMatchObject({ type: "timed-out", accepted: false });
    await session.type("words\n");
    await session.wait({ text: "script got words" }, PATIENT);
    await leaveRunning(session, "sh");
    await leaveRunning(session, "read -r line; echo builtin got $line");
    const second = await session.run("echo queued", LONG_ENOUGH);
    expect(second).toMatchObject({ type: "timed-out", accepted: false });
    await session.type("more\n");
    await session.wait({ text: "builtin got more" }, PATIENT);
    await check(session, "echo free; (exit 7)", 7, "free");
  });
});
