import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "agent-tty/kit";
import Libsql from "libsql";
import type { ChaosStage } from "./chaos-stage.ts";
import type { ParentFault } from "./faults.ts";
import type { Parent } from "./parents.ts";
import type { Tally } from "./tally.ts";

/** Strikes on a running parent and its home. A strike that finds no target does not count. */
export interface ParentStrikes {
  strike(fault: ParentFault, parent: Parent, home: number): void;
  /** Resolves when no strike has an effect any more. */
  over(): Promise<void>;
}

export function createParentStrikes(stage: ChaosStage, tally: Tally): ParentStrikes {
  const lasting: Promise<void>[] = [];
  const hit = async (fault: ParentFault, parent: Parent, home: number): Promise<boolean> => {
    switch (fault.kind) {
      case "frozen":
        return freeze(parent, fault.forMs);
      case "child-killed":
        return killChild(parent, fault.which, stage);
      case "store-locked":
        return lockStore(join(stage.home(home), "store.sqlite"), fault.forMs);
    }
  };
  return {
    strike: (fault, parent, home) => {
      const striking = hit(fault, parent, home).then((isHit) => tally.add(fault.kind, isHit ? 1 : 0));
      lasting.push(striking);
    },
    over: async () => void (await Promise.all(lasting)),
  };
}

async function freeze(parent: Parent, durationMs: number): Promise<boolean> {
  if (!parent.isRunning() || !send(parent.pid, "SIGSTOP")) return false;
  await systemClock.sleep(durationMs);
  send(parent.pid, "SIGCONT");
  return true;
}

/** Kills one of the parent's own connections, never a process of a Triage Agent. Returns whether there was one. */
async function killChild(parent: Parent, which: number, stage: ChaosStage): Promise<boolean> {
  const isConnection = ({ commandLine }: Child): boolean =>
    commandLine.includes("coder-terminal") || commandLine.includes(stage.coder.binary);
  while (parent.isRunning()) {
    const children = (await childrenOf(parent.pid)).filter(isConnection);
    const chosen = children[which % Math.max(1, children.length)];
    // Many children exist only for some milliseconds, so the kill may fail.
    if (chosen !== undefined && send(chosen.pid, "SIGKILL")) return true;
    await systemClock.sleep(20);
  }
  return false;
}

interface Child {
  pid: number;
  commandLine: string;
}

async function childrenOf(parent: number): Promise<Child[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<Child[]> => {
      const read = (name: string): Promise<string> =>
        readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
      const [stat, commandLine] = await Promise.all([read("stat"), read("cmdline")]);
      const isChild = /\) \S (\d+) /.exec(stat)?.[1] === String(parent);
      return isChild ? [{ pid: Number(pid), commandLine }] : [];
    }),
  );
  return found.flat().toSorted((a, b) => a.pid - b.pid);
}

async function lockStore(path: string, durationMs: number): Promise<boolean> {
  // The driver (libsql 0.5.29) ignores `fileMustExist`: it would create the store open to other users.
  if (!existsSync(path)) return false;
  try {
    const other = new Libsql(path);
    try {
      other.exec("BEGIN IMMEDIATE");
      await systemClock.sleep(durationMs);
      other.exec("ROLLBACK");
    } finally {
      other.close();
    }
    return true;
  } catch {
    // The store is already locked.
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
