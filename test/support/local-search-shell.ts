import { pathToFileURL } from "node:url";
import { shellQuote, systemClock, systemIds } from "agent-tty/kit";
import type { SearchShell } from "../../src/evidence/range/index.ts";
import { createLocalProvider, parentIdentity } from "../../src/workspaces/index.ts";

const COMMAND_LIMIT_MS = 60_000;

export interface LocalSearchOptions {
  /** The time limit of the search, in milliseconds. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
}

/** The name, below the provider's root, of the Coder workspace that a search uses. */
export const SEARCH_WORKSPACE = "search";

/** Creates a local Coder workspace below `root` for one search in a git history; disposing it destroys the Coder workspace. */
export async function localSearchShell(
  root: string,
  { budgetMs, signal = new AbortController().signal }: LocalSearchOptions,
): Promise<SearchShell & AsyncDisposable> {
  const parent = await parentIdentity();
  const provider = createLocalProvider({ root, clock: systemClock, ids: systemIds(systemClock), parent });
  const lease = { runId: "20260101T000000Z", issueKey: "owner/name#1", parent };
  const created = await provider.create({ name: SEARCH_WORKSPACE, lease }, signal);
  if (created.type !== "created") throw new Error(`the local Coder workspace in ${root} is taken`);
  const destroy = (): Promise<unknown> =>
    provider.destroy(created.workspace, AbortSignal.timeout(COMMAND_LIMIT_MS));
  try {
    const workspace = await created.workspace.ready(signal, () => undefined);
    return {
      workspace,
      directory: workspace.directory,
      clock: systemClock,
      signal,
      remainingMs: () => budgetMs,
      tell: () => undefined,
      [Symbol.asyncDispose]: async () => void (await destroy()),
    };
  } catch (error) {
    await destroy();
    throw error;
  }
}

/** Clones a repository of this machine as the pristine checkout of a place. */
export async function clonePristine(shell: SearchShell, repository: string): Promise<void> {
  const url = shellQuote(pathToFileURL(repository).href);
  await runInPlace(shell, `git clone --quiet --no-local --template= ${url} pristine`);
}

/** Runs a command line in the directory of a place. Returns its output without the last line break; throws if it fails. */
export async function runInPlace(
  { workspace, directory, signal }: SearchShell,
  commandLine: string,
): Promise<string> {
  const line = `cd ${shellQuote(directory)} && ${commandLine}`;
  const result = await workspace.exec(line, { timeoutMs: COMMAND_LIMIT_MS, signal });
  if (result.type !== "exited" || result.exitCode !== 0)
    throw new Error(`${commandLine}: ${JSON.stringify(result)}`);
  return Buffer.from(result.stdout).toString().trim();
}
