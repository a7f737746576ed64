import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { execa } from "execa";
import type { SearchShell } from "../../../src/evidence/range/index.ts";
import { createLocalProvider, parentIdentity } from "../../../src/workspaces/index.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Fails on a checkout whose file `answer` contains `wrong`. */
export const SCRIPT =
  "#!/bin/sh\n[ -f answer ] || exit 7\ngrep -q wrong answer && { echo 'got wrong'; exit 3; }\nexit 0\n";
export const CLAIM = { script: SCRIPT, expect: { exitCode: 3, outputContains: "got wrong" } };

/** A commit of the product, with its file `answer`. */
export interface Commit {
  answer: string | null;
  tag?: string;
  manifest?: string;
  files?: Readonly<Record<string, string>>;
}

/** Runs a function on a real git repository, in a local Coder workspace. */
export async function inPlace<Answer>(
  place: (pristine: string) => Promise<void>,
  ask: (shell: SearchShell, git: (name: string) => Promise<string>) => Promise<Answer>,
): Promise<Answer> {
  await using directory = await temporaryDirectory();
  const ids = systemIds(systemClock);
  const parent = await parentIdentity();
  const root = join(directory.path, "workspaces");
  const provider = createLocalProvider({ root, clock: systemClock, ids, parent });
  const { signal } = new AbortController();
  const lease = { runId: "20260101T000000Z", issueKey: "owner/name#1", parent };
  const created = await provider.create({ name: "range", lease }, signal);
  if (created.type !== "created") throw new Error("the local Coder workspace is taken");
  try {
    const workspace = await created.workspace.ready(signal, () => undefined);
    const pristine = join(workspace.directory, "pristine");
    await place(pristine);
    // npm finds no registry at this address.
    await writeFile(join(root, "range", "home", ".npmrc"), "registry=http://127.0.0.1:9/\n");
    const shell = {
      workspace,
      directory: workspace.directory,
      clock: systemClock,
      signal,
      remainingMs: () => 60_000,
      tell: () => undefined,
    };
    return await ask(
      shell,
      async (name) => (await execa("git", ["rev-parse", name], { cwd: pristine })).stdout,
    );
  } finally {
    await provider.destroy(created.workspace, signal);
  }
}

/** Creates a repository with these commits; the tags are annotated ones. */
export async function makeRepository(directory: string, commits: readonly Commit[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  const git = async (...args: string[]): Promise<unknown> =>
    execa("git", ["-c", "user.name=a", "-c", "user.email=a@example.test", ...args], { cwd: directory });
  await git("init", "-q", "-b", "main");
  for (const { answer, tag, manifest = '{"private":true}', files = {} } of commits) {
    await writeFile(join(directory, "package.json"), manifest);
    if (answer !== null) await writeFile(join(directory, "answer"), answer);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(directory, path, ".."), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    await git("add", "--all");
    await git("commit", "-q", "--allow-empty", "-m", `answer ${answer}`);
    if (tag !== undefined) await git("tag", "-a", tag, "-m", tag);
  }
}
