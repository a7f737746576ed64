import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Ids, messageOf, OperationalError, writeFileAtomic } from "agent-tty/kit";
import { type IssueRef, issueKey, redactSecretsIn, type RepositoryName } from "../../github/index.ts";
import { type StoredReproduction, storedReproductionSchema } from "./stored-reproduction.ts";

/** The reproductions of one home. */
export interface ReproductionLibrary {
  /** Replaces the issue's earlier stored reproduction. */
  save(stored: StoredReproduction): Promise<void>;
  /** Resolves even when there is none. */
  remove(ref: IssueRef): Promise<void>;
  /** Returns the issue's stored reproduction, or null if none is stored. Rejects with REPRODUCTION_UNREADABLE. */
  read(ref: IssueRef): Promise<StoredReproduction | null>;
  /** Returns the path of the issue's stored reproduction, whether or not it exists. */
  pathOf(ref: IssueRef): string;
  /** Returns all stored reproductions of a repository, sorted by issue number. Skips unreadable files. */
  all(repo: RepositoryName): Promise<StoredReproduction[]>;
}

export type ReproductionErrorCode = "REPRODUCTION_UNREADABLE";

/**
 * Returns the reproductions stored below `directory`, in one private file per issue: `<directory>/<owner>__<name>/<number>.json`.
 */
export function openReproductionLibrary(directory: string, ids: Ids): ReproductionLibrary {
  const folderOf = (repo: string): string => join(directory, repo.replace("/", "__"));
  const fileOf = ({ repo, number }: IssueRef): string => join(folderOf(repo), `${number}.json`);
  const read = async (ref: IssueRef): Promise<StoredReproduction | null> => {
    const text = await readFile(fileOf(ref), "utf8").catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw unreadable(ref, fileOf(ref), messageOf(error));
    });
    return text === null ? null : parse(text, ref, fileOf(ref));
  };
  return {
    save: async (stored) => {
      const path = fileOf({ repo: stored.repo as RepositoryName, number: stored.number });
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFileAtomic(path, JSON.stringify(redactSecretsIn(stored), null, 2), ids.hex(8));
    },
    remove: (ref) => rm(fileOf(ref), { force: true }),
    read,
    pathOf: fileOf,
    all: async (repo) => {
      const names = await readdir(folderOf(repo)).catch(() => []);
      const numbers = names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
      const found = await Promise.all(
        numbers.toSorted((a, b) => a - b).map((number) => read({ repo, number }).catch(() => null)),
      );
      return found.filter((one) => one !== null);
    },
  };
}

function parse(text: string, ref: IssueRef, path: string): StoredReproduction {
  try {
    const stored = storedReproductionSchema.parse(JSON.parse(text));
    if (issueKey(ref) === `${stored.repo}#${stored.number}`) return stored;
    throw new Error(`it is of ${stored.repo}#${stored.number}`);
  } catch (error) {
    throw unreadable(ref, path, messageOf(error));
  }
}

function unreadable(ref: IssueRef, path: string, seen: string): OperationalError<ReproductionErrorCode> {
  return new OperationalError({
    code: "REPRODUCTION_UNREADABLE",
    message: `read the stored reproduction of ${issueKey(ref)} from ${path}: ${seen}`,
    remedy: "Delete the file; the next verified reproduction of the issue stores it again.",
  });
}
