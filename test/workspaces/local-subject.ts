import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import {
  createLocalProvider,
  type CoderWorkspace,
  type CoderWorkspaceProvider,
  parentIdentity,
} from "../../src/workspaces/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import type { ContractSubject } from "./provider-contract.ts";

export const NAME_PREFIX = "product-triage";
/** For `expect.poll`: a process that was just forked has not started its program yet. */
export const UNTIL_STARTED = { timeout: 60_000 };

export function localProvider(root: string, parent: string): CoderWorkspaceProvider {
  return createLocalProvider({ root, clock: systemClock, ids: systemIds(systemClock), parent });
}

/** Creates a subject with its own root. Whether processes are isolated is what the provider itself reports at preflight. */
export async function localSubject(): Promise<ContractSubject & { root: string }> {
  const directory = await temporaryDirectory();
  const root = join(directory.path, "workspaces");
  const parent = await parentIdentity();
  const provider = localProvider(root, parent);
  const { warnings } = await provider.preflight(AbortSignal.timeout(30_000));
  return {
    root,
    provider,
    secondParent: localProvider(root, "another-machine/1/1"),
    namePrefix: NAME_PREFIX,
    parent,
    processes: warnings.length === 0 ? "isolated" : "shared",
    [Symbol.asyncDispose]: async () => {
      // A test that failed half-way must not leave its processes running for the next test.
      const signal = AbortSignal.timeout(30_000);
      for (const left of await provider.list(NAME_PREFIX, signal)) await provider.destroy(left, signal);
      await directory[Symbol.asyncDispose]();
    },
  };
}

export async function createdWorkspace(
  provider: CoderWorkspaceProvider,
  parent: string,
  number = 1,
): Promise<CoderWorkspace> {
  const lease = { runId: "20260102T030405Z", issueKey: `octo/product#${number}`, parent };
  const result = await provider.create(
    { name: `${NAME_PREFIX}-${number}`, lease },
    AbortSignal.timeout(30_000),
  );
  if (result.type !== "created") throw new Error(`expected the lock, got ${JSON.stringify(result)}`);
  return result.workspace;
}

/** Returns the command lines of the living processes whose environment contains the Coder workspace's id. */
export async function processesOf(id: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return environment.includes(`AFK_TRIAGE_WORKSPACE_ID=${id}`) ? [await commandLineOf(pid)] : [];
    }),
  );
  return marked.flat();
}

/** Returns a process's command line; empty if the process is dead, even if nobody has waited for it yet. */
export async function commandLineOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return text.replaceAll("\0", " ");
}
