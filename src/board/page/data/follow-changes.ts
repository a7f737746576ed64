import type { ChangeEvent } from "../../api/index.ts";
import type { PageClock } from "../browser/index.ts";
import { BoardFailure, type Connection, type Failure, isPassing } from "./board-data.ts";
import { streamEvents } from "./event-stream.ts";
import { answerOf, refusalOf } from "./request.ts";
import { Retry } from "./retry.ts";
import { parseShown } from "./visible-text.ts";

export interface ChangeFollower {
  /** `seq` is null for a derived change, which has no place in the log. */
  item: (change: ChangeEvent, seq: number | null) => void;
  connection: (connection: Connection) => void;
}

/**
 * Three heartbeats of the server. Silence is limited because a forwarded port stays open when the machine behind it has vanished.
 */
const LONGEST_SILENCE_MS = 45_000;

/**
 * Follows `GET /api/changes` with fetch instead of EventSource, so that even the first request can say where to continue, the
 * page chooses the pauses between attempts, and it can read the reason of a refusal.
 */
export function followChanges(clock: PageClock, afterSeq: number, follower: ChangeFollower): () => void {
  let isStopped = false;
  let attempt = new AbortController();
  let lastEventId = String(afterSeq);
  const retry = new Retry(clock, () => void connect(), follower.connection);

  async function connect(): Promise<void> {
    let failure: Failure | null = null;
    attempt = new AbortController();
    const { signal } = attempt;
    let unwatch = (): void => undefined;
    const onLife = (): void => {
      unwatch();
      unwatch = clock.schedule(LONGEST_SILENCE_MS, () => attempt.abort());
    };
    try {
      onLife();
      const headers = { Accept: "text/event-stream", "Last-Event-ID": lastEventId };
      const response = await answerOf("/api/changes", { headers, signal });
      if (!response.ok || response.body === null) throw new BoardFailure(await refusalOf(response));
      retry.succeeded();
      for await (const { id, data } of streamEvents(response.body, onLife)) {
        follower.item(parseShown(data) as ChangeEvent, id === null ? null : Number(id));
        lastEventId = id ?? lastEventId;
      }
    } catch (error) {
      if (error instanceof BoardFailure) ({ failure } = error);
      if (!isStopped && failure !== null && !isPassing(failure)) {
        retry.close();
        follower.connection({ type: "refused", failure });
        return;
      }
    } finally {
      unwatch();
    }
    if (!isStopped) retry.later(failure);
  }

  void connect();
  return () => {
    isStopped = true;
    attempt.abort();
    retry.close();
  };
}
