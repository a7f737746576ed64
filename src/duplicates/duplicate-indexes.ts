import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "agent-tty/kit";
import type { RepositoryName } from "../github/index.ts";
import { type IssueIndex, openIssueIndex } from "./issue-index.ts";

/** The issue indexes of one home, one per repository. Disposing closes them. */
export interface DuplicateIndexes extends Disposable {
  /** Returns a repository's index. It is opened once, and created if it does not exist. Rejects with a `StoreErrorCode`. */
  of(repo: RepositoryName): Promise<IssueIndex>;
}

/** `directory` is created when the first index is requested; each index is one private file in it. */
export function openDuplicateIndexes(directory: string, clock: Clock): DuplicateIndexes {
  const opened = new Map<RepositoryName, Promise<IssueIndex>>();
  const closing: IssueIndex[] = [];
  const open = async (repo: RepositoryName): Promise<IssueIndex> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const index = await openIssueIndex(join(directory, `${repo.replace("/", "__")}.sqlite`), clock);
    closing.push(index);
    return index;
  };
  return {
    of: (repo) => {
      const index = opened.get(repo) ?? open(repo);
      opened.set(repo, index);
      return index;
    },
    [Symbol.dispose]: () => {
      for (const index of closing.splice(0)) index.close();
    },
  };
}
