import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Ids, parseJson, writeFileAtomic } from "agent-tty/kit";
import { type IssueRef, issueKey, redactSecretsIn, type RepositoryName } from "../../github/index.ts";
import { type SweptIssue, sweptIssueSchema } from "./swept-issue.ts";

/** The facts that one home keeps between sweeps, at most one file per issue. */
export interface SweptLibrary {
  /**
   * Replaces the issue's earlier facts; they are on disk when the promise resolves. Rejects with Node's error of the system call,
   * and with zod's error if the facts could not be read back, which is a bug.
   */
  save(swept: SweptIssue): Promise<void>;
  /** Returns the facts about an issue; null: there is no readable file for it. */
  read(ref: IssueRef): Promise<SweptIssue | null>;
  /** Returns the facts by issue number. Skips unreadable files. */
  all(repo: RepositoryName): Promise<SweptIssue[]>;
  /** Returns the facts of every repository, ordered by its name. */
  everything(): Promise<SweptIssue[]>;
}

/** Returns the library in `directory`. The file of an issue is `<directory>/<owner>__<name>/<number>.json`. */
export function openSweptLibrary(directory: string, ids: Ids): SweptLibrary {
  const folderOf = (repo: string): string => join(directory, repo.replace("/", "__"));
  const fileOf = ({ repo, number }: IssueRef): string => join(folderOf(repo), `${number}.json`);
  const read = async (ref: IssueRef): Promise<SweptIssue | null> => {
    const swept = await readFileOf(fileOf(ref));
    return swept !== null && `${swept.repo}#${swept.number}` === issueKey(ref) ? swept : null;
  };
  const all = async (folder: string): Promise<SweptIssue[]> => {
    const names = await readdir(folder).catch(() => []);
    const numbers = names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
    const found: SweptIssue[] = [];
    for (const number of numbers.toSorted((a, b) => a - b)) {
      const swept = await readFileOf(join(folder, `${number}.json`));
      if (swept !== null) found.push(swept);
    }
    return found;
  };
  return {
    save: async (swept) => {
      const path = fileOf({ repo: swept.repo as RepositoryName, number: swept.number });
      const kept = sweptIssueSchema.parse(redactSecretsIn(swept));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFileAtomic(path, JSON.stringify(kept, null, 1), ids.hex(8));
    },
    read,
    all: (repo) => all(folderOf(repo)),
    everything: async () => {
      const folders = await readdir(directory).catch(() => []);
      const found: SweptIssue[] = [];
      for (const folder of folders.toSorted((a, b) => a.localeCompare(b)))
        found.push(...(await all(join(directory, folder))));
      return found;
    },
  };
}

async function readFileOf(path: string): Promise<SweptIssue | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  return text === null ? null : (sweptIssueSchema.safeParse(parseJson(text)).data ?? null);
}
