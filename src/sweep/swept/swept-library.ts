import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Ids, writeFileAtomic } from "agent-tty/kit";
import { type IssueRef, issueKey, redactSecretsIn, type RepositoryName } from "../../github/index.ts";
import { type SweptIssue, sweptIssueSchema } from "./swept-issue.ts";

/** What the sweeps of one home know, kept between them: at most one file an issue. */
export interface SweptLibrary {
  /** Replaces the issue's earlier one; on disk when it resolves. Rejects with Node's error of the system call. */
  save(swept: SweptIssue): Promise<void>;
  /** null: nothing that can be read is known of it. */
  read(ref: IssueRef): Promise<SweptIssue | null>;
  /** By number. One that cannot be read is passed over. */
  all(repo: RepositoryName): Promise<SweptIssue[]>;
}

/** `<directory>/<owner>__<name>/<number>.json` */
export function openSweptLibrary(directory: string, ids: Ids): SweptLibrary {
  const folderOf = (repo: string): string => join(directory, repo.replace("/", "__"));
  const fileOf = ({ repo, number }: IssueRef): string => join(folderOf(repo), `${number}.json`);
  const read = async (ref: IssueRef): Promise<SweptIssue | null> => {
    const text = await readFile(fileOf(ref), "utf8").catch(() => null);
    const swept = text === null ? undefined : sweptIssueSchema.safeParse(parsed(text)).data;
    return swept !== undefined && `${swept.repo}#${swept.number}` === issueKey(ref) ? swept : null;
  };
  return {
    save: async (swept) => {
      const path = fileOf({ repo: swept.repo as RepositoryName, number: swept.number });
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFileAtomic(path, JSON.stringify(redactSecretsIn(swept), null, 1), ids.hex(8));
    },
    read,
    all: async (repo) => {
      const names = await readdir(folderOf(repo)).catch(() => []);
      const numbers = names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
      const found: SweptIssue[] = [];
      for (const number of numbers.toSorted((a, b) => a - b)) {
        const swept = await read({ repo, number });
        if (swept !== null) found.push(swept);
      }
      return found;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
