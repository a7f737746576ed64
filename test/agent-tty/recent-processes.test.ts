import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { livingFamily, type ProcessRow, recentProcesses } from "../../src/agent-tty/processes/index.ts";
import { createVirtualClock, type VirtualClock } from "agent-tty/testing";

test("a process table read within the last second adds new processes without re-reading the others (P11)", async () => {
  const clock = createVirtualClock();
  const seen = rowOf(clock, process.pid);
  await using leader = await startedLeader();
  const { pid } = leader;
  expect(livingFamily(pid, recentProcesses(clock)).map((row) => row.pid)).toEqual([pid]);
  expect(rowOf(clock, process.pid)).toBe(seen);
});

test("a process that is read again after a second keeps its row if nothing about it has changed (P11)", async () => {
  const clock = createVirtualClock();
  await using orphan = await startedOrphan();
  const { pid } = orphan;
  const [own, withParent] = [rowOf(clock, process.pid), rowOf(clock, pid)];
  await orphan.endParent();
  expect(rowOf(clock, pid)).toBe(withParent);
  await clock.advance(1_000);
  expect(rowOf(clock, process.pid)).toBe(own);
  expect(rowOf(clock, pid)?.parentPid).not.toBe(withParent?.parentPid);
});

test("a process that ended within that second does not count as alive (P11)", async () => {
  const clock = createVirtualClock();
  await using leader = await startedLeader();
  const { pid } = leader;
  const table = recentProcesses(clock);
  await leader[Symbol.asyncDispose]();
  expect(livingFamily(pid, table)).toEqual([]);
  expect(livingFamily(pid, recentProcesses(clock))).toEqual([]);
});

/** Starts a process that leads its own session; disposing ends it. */
async function startedLeader(): Promise<AsyncDisposable & { pid: number }> {
  const child = spawn("bash", ["-c", "echo started; exec sleep 60"], { detached: true });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { pid: child.pid ?? 0, [Symbol.asyncDispose]: end };
}

/** Starts a process whose parent can be ended; disposing ends both. */
async function startedOrphan(): Promise<AsyncDisposable & { pid: number; endParent(): Promise<void> }> {
  const parent = spawn("bash", ["-c", "sleep 60 & echo $!; wait"]);
  const ended = once(parent, "exit");
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  const endParent = async (): Promise<void> => {
    parent.kill("SIGKILL");
    await ended;
  };
  const end = async (): Promise<void> => {
    await endParent();
    process.kill(pid, "SIGKILL");
  };
  return { pid, endParent, [Symbol.asyncDispose]: end };
}

function rowOf(clock: VirtualClock, pid: number): ProcessRow | undefined {
  return recentProcesses(clock).find((row) => row.pid === pid);
}
