import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "agent-tty/kit";
import type { RepositoryName } from "../github/index.ts";
import { type IssueIndex, openIssueIndex } from "./issue-index.ts";

/** The issue indexes of one home, one per repository. Disposing closes them. */
export interface DuplicateIndexes extends Disposable {
  /**
   * Returns a repository's index. It is opened once, unless that fails, and created if it does not exist. Rejects with a
   * `StoreErrorCode`.
   */
  of(repo: RepositoryName): Promise<IssueIndex>;
  /** Deletes a repository's index, which may be damaged: it contains nothing that the feed cannot read from GitHub again. */
  discard(repo: RepositoryName): Promise<void>;
}

/** Returns the indexes in `directory`, which is created when the first index is requested. Each index is one private file in it. */
export function openDuplicateIndexes(directory: string, clock: Clock): DuplicateIndexes {
  const opened = new Map<RepositoryName, Promise<IssueIndex>>();
  const closing = new Map<RepositoryName, IssueIndex>();
  const pathOf = (repo: RepositoryName): string => join(directory, `${repo.replace("/", "__")}.sqlite`);
  const open = async (repo: RepositoryName): Promise<IssueIndex> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const index = await openIssueIndex(pathOf(repo), clock);
    closing.set(repo, index);
    return index;
  };
  return {
    of: (repo) => {
      const known = opened.get(repo);
      if (known !== undefined) return known;
      const index = open(repo);
      opened.set(repo, index);
      // A failure is not kept: a full disk or a lock may be gone when the index is next asked for.
      index.catch(() => opened.delete(repo));
      return index;
    },
    discard: async (repo) => {
      opened.delete(repo);
      closing.get(repo)?.close();
      closing.delete(repo);
      for (const end of ["", "-wal", "-shm"]) await rm(`${pathOf(repo)}${end}`, { force: true });
    },
    [Symbol.dispose]: () => {
      for (const index of closing.values()) index.close();
      closing.clear();
    },
  };
}
