import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { execa } from "execa";
import { describe, expect, test, vi } from "vitest";
import type { CoderProviderOptions, ReadyWorkspace } from "../../src/workspaces/index.ts";
import {
  type CoderStandIn,
  created,
  deployment,
  HAS_TMUX,
  never,
  openStandInSession,
  ready,
  request,
  terminalRelay,
} from "../support/coder/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// Each test starts many processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 });

const QUICK = { firstDelayMs: 20 };
const PATIENT = { callerTimeoutMs: 60_000 };

describe.skipIf(!HAS_TMUX)("held by tmux", () => {
  test("a Session in tmux runs commands as it does without tmux (T12)", async () => {
    await using stage = await heldSession();
    const { session, shell, standIn } = stage;
    for (const [line, exitCode, shown] of [
      ["pwd", 0, shell.directory],
      ["stty size; echo $TERM ${TMUX-none}", 0, "40 120\nxterm-256color none"],
      ["seq 2000 | tail -1; (exit 7)", 7, "2000"],
      ["printf 'caf\\xc3\\xa9 \\x01\\n'; echo größer", 0, "größer"],
    ] as const) {
      const result = await session.run(line, PATIENT);
      expect(result).toMatchObject({ type: "completed", exitCode });
      expect(await session.readOutput(result.output, 4000)).toContain(shown);
    }
    await session.type("exit 5\n");
    expect(await session.exited).toEqual({ type: "code", code: 5 });
    // ssh is started without a PTY, because with a PTY the terminal would end with its connection.
    const connections = standIn.invocations().filter(({ argv }) => argv[0] === "ssh");
    for (const { argv, env } of connections) {
      expect(argv.slice(1, 4)).toEqual(["--disable-autostart", "--wait=no", `${shell.id}.main`]);
      expect(argv.join(" ")).not.toContain(standIn.token);
      const ours = new Set([
        "TERM",
        "AGENT_TTY_SESSION_ID",
        ...Object.keys(shell.terminal({ rcFile: "/x" }).env),
      ]);
      expect(Object.keys(env).filter((name) => !ours.has(name))).toEqual([]);
    }
  });

  test("a Waited Run survives lost connections without lost or duplicated bytes (coder failure 17, T12)", async () => {
    await using stage = await heldSession();
    const { session, standIn } = stage;
    const before = await shellPid(session);
    const running = session.run("for n in $(seq 1 60); do echo tick-$n; sleep 0.05; done; (exit 9)", PATIENT);
    for (const tick of ["tick-5\n", "tick-20\n", "tick-40\n"]) {
      await session.wait({ text: tick.trim() }, PATIENT);
      standIn.dropSessions();
    }
    const result = await running;
    expect(result).toMatchObject({ type: "completed", exitCode: 9 });
    const output = await session.readOutput(result.output, 10_000);
    expect(output.match(/tick-\d+/g)).toEqual(Array.from({ length: 60 }, (_, index) => `tick-${index + 1}`));
    expect(await shellPid(session)).toBe(before);
  });

  test("a killed coder ssh is attached again while a command ends, and the command's end is reported (coder failure 17, T12)", async () => {
    await using stage = await heldSession();
    const { session, shell } = stage;
    const running = session.run("until [ -e ~/go ]; do sleep 0.02; done; echo late; (exit 3)", PATIENT);
    await session.wait({ text: "until" }, PATIENT);
    stage.standIn.faults.sshSetupFailures = 4;
    killConnections(session);
    // The command ends while no connection is attached.
    await shell.exec("true", { timeoutMs: 20_000 });
    await untilExecuted(shell, "touch ~/go");
    const result = await running;
    expect(result).toMatchObject({ type: "completed", exitCode: 3 });
    expect(await session.readOutput(result.output, 1000)).toContain("late");
  });

  test("a terminal whose output is not yet stored when a connection times out is reattached, not reported as gone (coder failure 17, T12)", async () => {
    const { standIn, provider } = await deployment({}, { terminalRelay: terminalRelay() });
    await using directory = await temporaryDirectory();
    // The program that stores the output waits for a file before it begins, as if the machine were busy.
    const slow = `#!/bin/sh\nuntil [ -e "$HOME/go" ]; do sleep 0.05; done\nexec /usr/bin/dd "$@"\n`;
    await writeFile(join(directory.path, "dd"), slow, { mode: 0o700 });
    standIn.configureCli({ pathPrefix: `${directory.path}:` });
    const shell = await ready(provider);
    const session = await openStandInSession(shell, directory.path);
    const before = standIn.invocations().length;
    await vi.waitFor(() => expect(standIn.invocations().length).toBeGreaterThan(before + 1), {
      timeout: 60_000,
    });
    await untilExecuted(shell, "touch ~/go");
    expect(await session.run("echo attached", PATIENT)).toMatchObject({ type: "completed", exitCode: 0 });
    await session.destroy();
    await standIn[Symbol.asyncDispose]();
  });

  test("input typed while the connection is lost is carried out once (coder failure 17, T12)", async () => {
    await using stage = await heldSession();
    const { session, standIn } = stage;
    await session.run("true", PATIENT);
    standIn.faults.sshSetupFailures = 3;
    standIn.dropSessions();
    expect(await session.run("echo once >>~/log; cat ~/log", PATIENT)).toMatchObject({ exitCode: 0 });
    standIn.dropSessions();
    const result = await session.run("wc -l <~/log", PATIENT);
    expect((await session.readOutput(result.output, 100)).trim()).toBe("1");
  });

  // The next call of tmux takes effect and ends only later, as if the machine were busy. A new connection waits two seconds.
  test.each([
    ["ends a second later", ["", "sleep 1"]],
    ["ends four seconds later", ["", "sleep 4"]],
    ["takes effect four seconds later", ["sleep 4", ""]],
  ] as const)(
    "input whose call of tmux %s than its connection is carried out once (coder failure 17, T12)",
    async (_, [before, after]) => {
      await using directory = await temporaryDirectory();
      const at = (name: string): string => join(directory.path, name);
      const { stdout: program } = await execa("sh", ["-c", "command -v tmux"]);
      const tmux = `#!/bin/sh
slow() { :; }
if rm '${at("slow")}' 2>/dev/null; then slow() { : >'${at("sent")}'; "$@"; }; fi
slow ${before}
'${program}' "$@"; code=$?
slow ${after}
exit $code
`;
      await writeFile(at("tmux"), tmux, { mode: 0o700 });
      await using subject = await deployment({}, { terminalRelay: terminalRelay(), terminalLimits: QUICK });
      subject.standIn.configureCli({ pathPrefix: `${directory.path}:` });
      const shell = await ready(subject.provider);
      const session = await openStandInSession(shell, directory.path);
      await session.run("true", PATIENT);
      await writeFile(at("slow"), "");
      await session.type("echo once >>~/log\n");
      await vi.waitFor(() => expect(existsSync(at("sent"))).toBe(true), { timeout: 60_000 });
      subject.standIn.dropSessions();
      await session.type("echo later-$((40+2))\n");
      await session.wait({ text: "later-42" }, PATIENT);
      await systemClock.sleep(before === "" ? 0 : 4_000);
      const log = await shell.exec("cat ~/log", { timeoutMs: 20_000 });
      expect(log.type === "exited" ? Buffer.from(log.stdout).toString() : log).toBe("once\n");
      await session.destroy();
    },
  );

  test("a connection that hangs is abandoned and attached again (coder failure 17, T12)", async () => {
    await using stage = await heldSession({
      terminalLimits: { silenceMs: 3000, maxReattaches: 100, killAfterMs: 200 },
    });
    const { session } = stage;
    const running = session.run(
      "echo begun; until [ -e ~/go ]; do sleep 0.02; done; echo done-$((40+2))",
      PATIENT,
    );
    await session.wait({ text: "begun" }, PATIENT);
    killConnections(session, "SIGSTOP");
    await untilExecuted(stage.shell, "touch ~/go");
    expect(await running).toMatchObject({ type: "completed", exitCode: 0 });
  });

  test("after the last reattachment the Session ends as lost and reports why (coder failure 17, T12)", async () => {
    await using stage = await heldSession({ terminalLimits: { maxReattaches: 2 } });
    const { session, standIn } = stage;
    const running = session.run("sleep 300", PATIENT);
    await session.wait({ text: "sleep 300" }, PATIENT);
    for (const word of ["one", "two"]) {
      standIn.dropSessions();
      await vi.waitFor(() => expect(standIn.sessionCount()).toBe(1), { timeout: 60_000 });
      // The remote terminal echoes the word, so it is attached again.
      await session.type(word);
      await session.wait({ text: word }, PATIENT);
    }
    standIn.dropSessions();
    expect(await running).toMatchObject({ type: "interrupted", exit: { type: "code", code: 255 } });
    expect((await session.snapshot()).visibleLines.join("\n")).toContain("the connection was lost 3 times");
  });

  test("the terminal tries to reattach within the grace, and then the Session ends as lost (coder failure 17, T12)", async () => {
    await using stage = await heldSession({ terminalLimits: { graceMs: 300, maxDelayMs: 100 } });
    const { session, standIn } = stage;
    await session.run("true", PATIENT);
    standIn.faults.sshSetupFailures = 10_000;
    standIn.dropSessions();
    expect(await session.exited).toEqual({ type: "code", code: 255 });
    expect((await session.snapshot()).visibleLines.join("\n")).toContain("handshake failed");
  });

  test.each(["stop", "delete"] as const)(
    "the terminal does not wait for a Coder workspace after another user's %s (coder failure 18, T12)",
    async (transition) => {
      await using stage = await heldSession();
      const { session, standIn } = stage;
      await session.run("true", PATIENT);
      const [record] = standIn.state.workspaces;
      if (record === undefined) throw new Error("nothing was created");
      standIn.state.addBuild(record, transition);
      standIn.dropSessions();
      expect(await session.exited).toEqual({ type: "code", code: 255 });
      expect((await session.snapshot()).visibleLines.join("\n")).toContain("stopped or deleted");
    },
  );

  test("when a Session ends, everything in its terminal ends (T12, A29)", async () => {
    await using stage = await heldSession();
    const { session, shell } = stage;
    const running = session.run("sleep 301", PATIENT);
    await session.wait({ text: "sleep 301" }, PATIENT);
    await session.destroy();
    await running;
    const left = await shell.exec(
      "for i in $(seq 100); do pgrep -f '^sleep 301' || exit 0; sleep 0.05; done; exit 1",
      {
        timeoutMs: 20_000,
      },
    );
    expect(left).toMatchObject({ type: "exited", exitCode: 0 });
  });

  test("endless output neither fills the disk nor hides the prompt that follows it (S11, T12)", async () => {
    // With a smaller limit, each file of output is so small that starting its writer can take longer than printing its bytes. tmux
    // then holds the rest, and the prompt comes after it.
    await using stage = await heldSession({ terminalLimits: { keptBytes: 8 * 1024 ** 2 } });
    const { session, shell } = stage;
    const running = session.run("yes 0123456789abcdef0123456789abcdef", { callerTimeoutMs: 80_000 });
    const oldest = "cd ~/.afk-triage/*/terminals/*/ && ls | sed -n 's/^out\\.//p' | sort -n | head -n 1";
    // More than twice the kept output has been printed, and the terminal still prints.
    const overflown = await shell.exec(
      `until [ "$(${oldest})" -gt ${16 * 1024 ** 2} ]; do sleep 0.3; done; du -sk ~/.afk-triage | cut -f1`,
      { timeoutMs: 60_000 },
    );
    expect(overflown.type === "exited" ? Number(Buffer.from(overflown.stdout)) : overflown).toBeLessThan(
      16_000,
    );
    await session.sendKeys(["Ctrl+C"]);
    expect(await running).toMatchObject({ type: "completed", exitCode: 130 });
    expect(await session.run("echo calm", PATIENT)).toMatchObject({ type: "completed", exitCode: 0 });
  });

  test("the remote terminal follows the size of the Session's terminal (T12)", async () => {
    await using stage = await heldSession();
    const { session } = stage;
    await session.run("true", PATIENT);
    await session.resize(100, 30);
    const result = await session.run("until [ \"$(stty size)\" = '30 100' ]; do sleep 0.02; done", PATIENT);
    expect(result).toMatchObject({ type: "completed", exitCode: 0 });
  });
});

/** Repeats a command until it was executed, because a drop may hit this very command. */
async function untilExecuted(shell: ReadyWorkspace, commandLine: string): Promise<void> {
  for (;;) {
    const result = await shell.exec(commandLine, { timeoutMs: 20_000 });
    if (result.type === "exited") return;
  }
}

async function shellPid(session: Session): Promise<string> {
  const result = await session.run("echo $$", PATIENT);
  return (await session.readOutput(result.output, 100)).trim();
}

/** Kills the `coder ssh` processes that the Session's child has started. */
function killConnections(session: Session, name: NodeJS.Signals = "SIGKILL"): void {
  const children = readFileSync(`/proc/${session.pid}/task/${session.pid}/children`, "utf8").trim();
  const pids = children.split(" ").filter(Boolean).map(Number);
  if (pids.length === 0) throw new Error("no connection to kill");
  for (const pid of pids) process.kill(pid, name);
}

test("without tmux the terminal is a plain one, and only the first Coder workspace reports it (coder failure 17, T12)", async () => {
  await using directory = await temporaryDirectory();
  await writeFile(join(directory.path, "tmux"), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
  await using subject = await deployment({}, { terminalRelay: terminalRelay() });
  subject.standIn.configureCli({ pathPrefix: `${directory.path}:` });
  const readyOne = async (name: string) =>
    (await created(subject.provider, request(name))).ready(never, () => undefined);
  const first = await readyOne("product-triage-1");
  const second = await readyOne("product-triage-2");
  expect(first.warnings).toEqual([expect.stringContaining("no tmux")]);
  expect(second.warnings).toEqual([]);
  expect(first.terminal({ rcFile: "/dev/null" }).command[0]).toBe(subject.standIn.binary);
});

interface Stage extends AsyncDisposable {
  session: Session;
  shell: ReadyWorkspace & { id: string };
  standIn: CoderStandIn;
}

async function heldSession(options: Partial<CoderProviderOptions> = {}): Promise<Stage> {
  const { standIn, provider } = await deployment(
    {},
    {
      terminalRelay: terminalRelay(),
      ...options,
      terminalLimits: { ...QUICK, ...options.terminalLimits },
    },
  );
  const directory = await temporaryDirectory();
  const shell = await ready(provider);
  const session = await openStandInSession(shell, directory.path);
  return {
    session,
    shell,
    standIn,
    [Symbol.asyncDispose]: async () => {
      await session.destroy();
      await standIn[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
