import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import type { SearchShell } from "../../../src/evidence/range/index.ts";
import { localSearchShell, SEARCH_WORKSPACE } from "../../support/local-search-shell.ts";
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
  await using shell = await localSearchShell(directory.path, { budgetMs: 60_000 });
  const pristine = join(shell.directory, "pristine");
  await place(pristine);
  // npm finds no registry at this address.
  await writeFile(join(directory.path, SEARCH_WORKSPACE, "home", ".npmrc"), "registry=http://127.0.0.1:9/\n");
  return await ask(
    shell,
    async (name) => (await execa("git", ["rev-parse", name], { cwd: pristine })).stdout,
  );
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
