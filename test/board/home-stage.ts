import { join } from "node:path";
import { type Home, openHome } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { boardRunId, type BoardOptions, type BoardSource } from "../../src/board/index.ts";
import { type FollowUps, openBoardSource } from "../../src/board/source/index.ts";
import {
  selectedTriageRun,
  transition,
  type TriageRunEvent,
  type TriageRunFacts,
} from "../../src/runs/index.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { parentIdentity } from "../../src/workspaces/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { type BoardStage, boardStage } from "./board-stage.ts";

export const BATCH = "20260101T000000Z";

export interface HomeStage extends BoardStage {
  directory: string;
  source: BoardSource;
  store: Store;
  sessions: Home;
  /** Records a run of this batch and returns its path, `/api/runs/<id>`. */
  record(number: number, events: readonly TriageRunEvent[], issue?: TriageRunFacts["issue"]): string;
}

/** Starts a board over a real home with its own store and Sessions, and with a batch whose parent is this process. */
export async function homeStage(
  change: Partial<BoardOptions> = {},
  sourceLimits: NonNullable<Parameters<typeof openBoardSource>[1]["limits"]> = {},
  followUps: FollowUps | null = null,
): Promise<HomeStage> {
  const directory = await temporaryDirectory();
  const ports = { clock: systemClock, ids: systemIds(systemClock) };
  const store = await openStore({ path: join(directory.path, "store.sqlite"), clock: systemClock });
  const sessions = await openHome({ directory: join(directory.path, "agent-tty"), ...ports });
  const parent = await parentIdentity();
  store.recordBatch({
    runId: BATCH,
    parent,
    provider: "local",
    repos: ["o/r"],
    startedAtMs: systemClock.nowMs(),
  });
  const source = openBoardSource(directory.path, { ...ports, limits: sourceLimits, followUps });
  const stage = await boardStage(source, change);
  return {
    ...stage,
    directory: directory.path,
    source,
    store,
    sessions,
    record: (number, events, issue) => {
      const key = { runId: BATCH, repo: "o/r", number };
      const selected = selectedTriageRun({
        ...key,
        atMs: systemClock.nowMs(),
        ...(issue === undefined || issue === null ? {} : { issue }),
      });
      store.saveRun(events.reduce(transition, selected));
      return `/api/runs/${encodeURIComponent(boardRunId(key))}`;
    },
    [Symbol.asyncDispose]: async () => {
      await stage[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
      store[Symbol.dispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
