import { spawn } from "@lydell/node-pty";
import { describe, expect, test } from "vitest";
import type {
  CoderWorkspaceProvider,
  CreateResult,
  ExecOptions,
  ExecResult,
  Lease,
  ReadyWorkspace,
} from "../../src/workspaces/index.ts";

/** One fresh, empty deployment (or directory), as two parents see it. It is disposed at the end of each test. */
export interface ContractSubject extends AsyncDisposable {
  provider: CoderWorkspaceProvider;
  /** The same deployment through a provider built by another parent process. */
  secondParent: CoderWorkspaceProvider;
  /** A prefix that `list` accepts; the suite names its Coder workspaces `<namePrefix>-<n>`. */
  namePrefix: string;
  /** `hostname/pid/startTime` as the provider of the first parent would write it. */
  parent: string;
  /**
   * `isolated`: the parent's processes cannot be seen from inside. `shared`: they run on this machine and can be seen. `remote`:
   * not checked.
   */
  processes: "isolated" | "shared" | "remote";
}

/**
 * A test has no limit of its own beyond those of its calls, because a real deployment takes minutes where a stand-in takes none.
 */
const signal = new AbortController().signal;
const CANARY = "canary-5b1f0c7e-of-the-parent";

/** Defines the tests of the contract of every CoderWorkspaceProvider; each adapter's own test file calls it. */
export function providerContract(name: string, makeSubject: () => Promise<ContractSubject>): void {
  process.env["AFK_TEST_CANARY"] = CANARY;

  describe(`${name} keeps the CoderWorkspaceProvider contract`, () => {
    test("a name is a lock, and the second parent gets the holder's lease (T3)", async () => {
      await using subject = await makeSubject();
      const { workspace } = await created(subject, 1);
      const second = await subject.secondParent.create(request(subject, 1, { runId: "run-2" }), signal);
      expect(second).toEqual({ type: "locked", holder: leaseOf(subject, 1) });
      await gone(subject, workspace);
    });

    test("exactly one of two simultaneous creates gets the name (T3)", async () => {
      await using subject = await makeSubject();
      const results = await Promise.all([
        subject.provider.create(request(subject, 1), signal),
        subject.secondParent.create(request(subject, 1, { runId: "run-2" }), signal),
      ]);
      expect(results.map((result) => result.type).sort()).toEqual(["created", "locked"]);
      for (const result of results) if (result.type === "created") await gone(subject, result.workspace);
    });

    test("list returns exactly the Coder workspaces with the prefix, with their leases (S15)", async () => {
      await using subject = await makeSubject();
      const { workspace } = await created(subject, 10);
      const found = await subject.secondParent.list(subject.namePrefix, signal);
      expect(found).toEqual([
        {
          id: workspace.id,
          name: workspace.name,
          lease: leaseOf(subject, 10),
          ageMs: expect.any(Number) as number,
          holdMs: subject.processes === "remote" ? (expect.any(Number) as number) : null,
          parentState: "alive",
          inspection: "none",
          isStranded: false,
          couldCarryLease: false,
        },
      ]);
      expect(found[0]?.ageMs).toBeGreaterThanOrEqual(0);
      expect(await subject.provider.list(`${subject.namePrefix}-1`, signal)).toEqual([]);
      await gone(subject, workspace);
    });

    test("the lease is held until the Coder workspace is destroyed and verified gone; a second destroy is tolerated, and the name is free again (T5, A29)", async () => {
      await using subject = await makeSubject();
      const { workspace } = await created(subject, 1);
      const { id } = workspace;
      expect(await subject.provider.leaseState(id, signal)).toBe("held");
      expect(await subject.provider.destroy({ id, name: workspace.name }, signal)).toEqual({
        type: "destroyed",
      });
      expect(await subject.provider.leaseState(id, signal)).toBe("lost");
      expect(await subject.provider.list(subject.namePrefix, signal)).toEqual([]);
      expect(await subject.secondParent.destroy({ id, name: workspace.name }, signal)).toEqual({
        type: "absent",
      });
      const next = await created(subject, 1);
      expect(next.workspace.id).not.toBe(id);
      expect(await subject.provider.destroy({ id, name: workspace.name }, signal)).toEqual({
        type: "absent",
      });
      expect(await subject.provider.leaseState(next.workspace.id, signal)).toBe("held");
      await gone(subject, next.workspace);
    });

    test("stop ends all processes, keeps the name and the lease, and may be repeated (V1)", async () => {
      await using subject = await makeSubject();
      const { provider, secondParent, namePrefix } = subject;
      const { workspace } = await created(subject, 1);
      const ready = await workspace.ready(signal, () => {});
      await ready.exec("(setsid sleep 300 >/dev/null 2>&1 &)", { timeoutMs: 20_000 });
      await expect(provider.stop(workspace, signal)).resolves.toEqual({
        type: "stopped",
        isProven: subject.processes !== "shared",
      });
      expect(await provider.stop(workspace, signal)).toMatchObject({ type: "stopped" });
      expect(await provider.leaseState(workspace.id, signal)).toBe("held");
      expect(await secondParent.create(request(subject, 1, { runId: "run-2" }), signal)).toEqual({
        type: "locked",
        holder: leaseOf(subject, 1),
      });
      const listed = await secondParent.list(namePrefix, signal);
      expect(listed.map(({ id, lease }) => ({ id, lease }))).toEqual([
        { id: workspace.id, lease: leaseOf(subject, 1) },
      ]);
      await gone(subject, workspace);
    });

    test("the second Coder workspace of an issue has its own files and is listed with the lock (V1, S15)", async () => {
      await using subject = await makeSubject();
      const { provider, namePrefix } = subject;
      const { workspace: lock } = await created(subject, 1);
      const left = await (
        await lock.ready(signal, () => {})
      ).exec('echo x >"$HOME/left"; pwd', {
        timeoutMs: 20_000,
      });
      await provider.stop(lock, signal);
      const second = await provider.create({ ...request(subject, 1), name: `${namePrefix}-1-v` }, signal);
      if (second.type !== "created") throw new Error(`expected a second one, got ${second.type}`);
      const ready = await second.workspace.ready(signal, () => {});
      const there = left.type === "exited" ? Buffer.from(left.stdout).toString().trim() : "";
      await checkExec(
        ready,
        `ls -A "$HOME" | grep -x left; find '${there}' -type f 2>/dev/null`,
        {},
        { type: "exited", exitCode: expect.any(Number), stdout: "", stderr: "" },
      );
      const names = (await provider.list(namePrefix, signal)).map(({ name }) => name);
      expect(names.toSorted()).toEqual([lock.name, `${namePrefix}-1-v`]);
      await gone(subject, second.workspace);
      await gone(subject, lock);
    });

    test("exec runs bash command lines in a directory that belongs to the run alone (A29)", async () => {
      await using subject = await makeSubject();
      const { workspace } = await created(subject, 1);
      const ready = await workspace.ready(signal, () => {});
      await checkExec(ready, "exit 3", {}, { type: "exited", exitCode: 3, stdout: "", stderr: "" });
      await checkExec(
        ready,
        "printf out; printf err >&2",
        {},
        { type: "exited", exitCode: 0, stdout: "out", stderr: "err" },
      );
      await checkExec(ready, "cat", {}, { type: "exited", exitCode: 0, stdout: "", stderr: "" });
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      const echoed = await ready.exec("cat", { stdin: bytes, timeoutMs: 20_000 });
      expect(echoed.type === "exited" ? [...echoed.stdout] : echoed).toEqual([...bytes]);
      await checkExec(
        ready,
        `cd '${ready.directory}' && pwd && [[ -w . ]]`,
        {},
        { type: "exited", exitCode: 0, stdout: `${ready.directory}\n`, stderr: "" },
      );
      await gone(subject, workspace);
    });

    test("exec is bounded in output and in time (S11)", async () => {
      await using subject = await makeSubject();
      const { workspace } = await created(subject, 1);
      const ready = await workspace.ready(signal, () => {});
      expect(await ready.exec("yes", { timeoutMs: 20_000, maxOutputBytes: 1000 })).toEqual({
        type: "output-too-large",
        limitBytes: 1000,
      });
      const stuck = await ready.exec("trap '' TERM HUP; echo begun >&2; while :; do sleep 1; done", {
        timeoutMs: 500,
      });
      expect(stuck.type).toBe("timed-out");
      await gone(subject, workspace);
    });

    test("the terminal is bash with our rc file on a PTY, with job control (A29)", async () => {
      await using subject = await makeSubject();
      const { workspace } = await created(subject, 1);
      const ready = await workspace.ready(signal, () => {});
      const rcFile = `${ready.directory}/contract.bashrc`;
      await ready.exec(`cat > '${rcFile}'`, { stdin: Buffer.from("PS1='at-prompt> '\n"), timeoutMs: 20_000 });
      using terminal = openTerminal(ready, rcFile);
      await terminal.shows("at-prompt> ");
      terminal.type("bash -c 'echo child-$((40+1)); sleep 300'\r");
      await terminal.shows("child-41");
      terminal.type("\u0003");
      await terminal.shows("at-prompt> ", 2);
      terminal.type("echo fresh-$((40+2)); tty -s && echo on-a-tty\r");
      await terminal.shows("fresh-42");
      await terminal.shows("\non-a-tty");
      terminal.type("exit 5\r");
      expect(await terminal.exitCode).toBe(5);
      await gone(subject, workspace);
    });

    test("nothing of the parent's environment is visible inside (S8)", async () => {
      await using subject = await makeSubject();
      const { workspace } = await created(subject, 1);
      const ready = await workspace.ready(signal, () => {});
      const inside = await ready.exec(visibleSecrets(subject), { timeoutMs: 60_000 });
      expect(inside).toMatchObject({ type: "exited", exitCode: 0 });
      if (inside.type === "exited")
        expect(Buffer.from(inside.stdout).toString("latin1")).not.toContain(CANARY);
      const { command, env } = ready.terminal({ rcFile: "/dev/null" });
      expect(JSON.stringify([command, env])).not.toContain(CANARY);
      await gone(subject, workspace);
    });
  });
}

function request(subject: ContractSubject, number: number, lease: Partial<Lease> = {}) {
  return {
    name: `${subject.namePrefix}-${number}`,
    lease: { ...leaseOf(subject, number), ...lease },
  };
}

function leaseOf(subject: ContractSubject, number: number): Lease {
  return { runId: "20260102T030405Z", issueKey: `octo/product#${number}`, parent: subject.parent };
}

async function created(
  subject: ContractSubject,
  number: number,
): Promise<Extract<CreateResult, { type: "created" }>> {
  const result = await subject.provider.create(request(subject, number), signal);
  if (result.type !== "created") throw new Error(`expected the lock, got ${JSON.stringify(result)}`);
  expect(result.workspace.name).toBe(`${subject.namePrefix}-${number}`);
  return result;
}

/** Destroys what a test created, at the end of every test, so that the leak check stays meaningful. */
async function gone(subject: ContractSubject, { id, name }: { id: string; name: string }): Promise<void> {
  expect(await subject.provider.destroy({ id, name }, signal)).toEqual({ type: "destroyed" });
}

async function checkExec(
  ready: ReadyWorkspace,
  commandLine: string,
  options: Partial<ExecOptions>,
  expected: unknown,
): Promise<void> {
  const result: ExecResult = await ready.exec(commandLine, { timeoutMs: 20_000, ...options });
  const readable =
    result.type === "exited" ? { ...result, stdout: Buffer.from(result.stdout).toString() } : result;
  expect(readable).toEqual(expected);
}

/**
 * Returns a command line that prints `env` everywhere, and every environment and argv under /proc if the kernel hides the
 * parent's processes.
 */
function visibleSecrets(subject: ContractSubject): string {
  const scan = "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'";
  return subject.processes === "isolated" ? `env; ${scan}; exit 0` : "env";
}

function openTerminal(ready: ReadyWorkspace, rcFile: string) {
  const {
    command: [program, ...argv],
    env,
    cwd,
  } = ready.terminal({ rcFile });
  const terminal = spawn(program, argv, { env, cwd, cols: 120, rows: 40 });
  let output = "";
  const waiters = new Set<() => void>();
  terminal.onData((data) => {
    output += data;
    for (const check of waiters) check();
  });
  const exitCode = new Promise<number>((resolve) => terminal.onExit((exit) => resolve(exit.exitCode)));
  return {
    exitCode,
    type: (text: string) => terminal.write(text),
    /** Resolves when `text` has been printed `times` times since the start. */
    shows: (text: string, times = 1): Promise<void> =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (output.split(text).length <= times) return;
          waiters.delete(check);
          resolve();
        };
        waiters.add(check);
        void exitCode.then(() => reject(new Error(`the shell ended; it had shown:\n${output}`)));
        check();
      }),
    [Symbol.dispose]: () => terminal.kill("SIGKILL"),
  };
}
