import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Ids, parseJson, writeFileAtomic } from "agent-tty/kit";
import { type IssueRef, issueKey } from "../github/index.ts";
import { type Checkpoint, checkpointSchema } from "./checkpoint.ts";

/** The checkpoints of one home: at most one per issue. */
export interface CheckpointLibrary {
  /**
   * Replaces the issue's earlier checkpoint. The new one is on disk when the promise resolves. Rejects with Node's error of the
   * system call.
   */
  save(checkpoint: Checkpoint): Promise<void>;
  /** Returns the issue's checkpoint. null: there is no readable checkpoint, so a Triage Agent has to run again. */
  read(ref: IssueRef): Promise<Checkpoint | null>;
  /** Does nothing when there is no checkpoint. */
  remove(ref: IssueRef): Promise<void>;
}

/**
 * Returns the checkpoints stored below `directory`, in one private file per issue: `<directory>/<owner>__<name>/<number>.json`.
 */
export function openCheckpoints(directory: string, ids: Ids): CheckpointLibrary {
  const fileOf = ({ repo, number }: IssueRef): string =>
    join(directory, repo.replace("/", "__"), `${number}.json`);
  return {
    save: async (checkpoint) => {
      const path = fileOf({ repo: checkpoint.repo as IssueRef["repo"], number: checkpoint.number });
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFileAtomic(path, JSON.stringify(checkpoint), ids.hex(8));
    },
    read: async (ref) => {
      const text = await readFile(fileOf(ref), "utf8").catch(() => null);
      const parsed = text === null ? null : checkpointSchema.safeParse(parseJson(text)).data;
      return parsed !== undefined && parsed !== null && isOf(parsed, ref) ? parsed : null;
    },
    remove: (ref) => rm(fileOf(ref), { force: true }),
  };
}

function isOf({ repo, number }: Checkpoint, ref: IssueRef): boolean {
  return `${repo}#${number}` === issueKey(ref);
}
