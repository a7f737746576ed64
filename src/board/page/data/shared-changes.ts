import type { ChangeEvent } from "../../api/index.ts";
import type { PageClock } from "../browser/index.ts";
import type { Connection, Follower } from "./board-data.ts";
import { followChanges } from "./follow-changes.ts";

const NAME = "afk-triage-changes";
/** The maximum number of messages kept while this tab is still reading the lists. */
const MAX_KEPT = 5_000;

/** Messages from the tab with the stream to the other tabs. */
type Told =
  | { type: "began"; afterSeq: number }
  | { type: "change"; seq: number | null; change: ChangeEvent }
  | { type: "connection"; connection: Exclude<Connection, { type: "lost" }> | Lost };
type Lost = Omit<Extract<Connection, { type: "lost" }>, "retryNow">;
/** Messages from the other tabs to the tab with the stream. */
type Asked = { type: "who" } | { type: "retry" };

/**
 * One change stream per browser (B3). Browsers open at most six connections to a server, so the tab that holds a lock reads the
 * stream and passes the changes on to the other tabs; when that tab is closed, the next tab gets the lock. The channel is opened
 * before any list is read, so that no change is lost between the two.
 */
export class SharedChanges {
  readonly #clock: PageClock;
  readonly #channel = new BroadcastChannel(NAME);
  #kept: Told[] = [];
  #receive: ((told: Told) => void) | null = null;
  #lead: { tell: () => void; retry: () => void } | null = null;

  constructor(clock: PageClock) {
    this.#clock = clock;
    this.#channel.addEventListener("message", ({ data }: MessageEvent<Told | Asked>) => {
      if (data.type === "who") return this.#lead?.tell();
      if (data.type === "retry") return this.#lead?.retry();
      if (this.#receive === null) this.#keep(data);
      else this.#receive(data);
    });
  }

  /** Passes every change after the sequence to `follower`, until the returned function is called. */
  follow(afterSeq: number, follower: Follower<ChangeEvent>): () => void {
    const left = new AbortController();
    let lastSeq = afterSeq;
    this.#receive = (told) => {
      if (told.type === "connection") return follower.connection(this.#connectionOf(told.connection));
      // The tab that now reads the stream began after changes that this tab has not seen.
      if (told.type === "began")
        return told.afterSeq > lastSeq ? follower.item({ type: "truncated" }) : undefined;
      // After a truncation, the sequence may belong to another store and be lower.
      const isKnown = told.seq !== null && told.seq <= lastSeq && told.change.type !== "truncated";
      if (isKnown) return;
      lastSeq = told.seq ?? lastSeq;
      follower.item(told.change);
    };
    for (const told of this.#kept.splice(0)) this.#receive(told);
    this.#ask({ type: "who" });
    const lead = (): Promise<void> => this.#leadFrom(() => lastSeq, follower, left.signal);
    navigator.locks.request(NAME, { signal: left.signal }, lead).catch(() => undefined);
    return () => {
      this.#receive = null;
      left.abort();
    };
  }

  /** Reads the stream for all tabs. Resolves when this tab no longer follows, which releases the lock. */
  #leadFrom(lastSeq: () => number, follower: Follower<ChangeEvent>, left: AbortSignal): Promise<void> {
    let connection: Connection = { type: "connecting" };
    const tell = (): void => this.#tell({ type: "connection", connection: plain(connection) });
    this.#lead = { tell, retry: () => connection.type === "lost" && connection.retryNow() };
    this.#tell({ type: "began", afterSeq: lastSeq() });
    const receive = this.#receive;
    const unfollow = followChanges(this.#clock, lastSeq(), {
      item: (change, seq) => {
        const told = { type: "change", seq, change } as const;
        this.#tell(told);
        receive?.(told);
      },
      connection: (now) => {
        connection = now;
        tell();
        follower.connection(now);
      },
    });
    return new Promise((resolve) => {
      left.addEventListener("abort", () => {
        unfollow();
        this.#lead = null;
        resolve();
      });
    });
  }

  #connectionOf(connection: Exclude<Connection, { type: "lost" }> | Lost): Connection {
    return connection.type === "lost"
      ? { ...connection, retryNow: () => this.#ask({ type: "retry" }) }
      : connection;
  }

  #keep(told: Told): void {
    if (this.#kept.length < MAX_KEPT) this.#kept.push(told);
    else this.#kept = [{ type: "change", seq: null, change: { type: "truncated" } }];
  }

  #tell(told: Told): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target
    this.#channel.postMessage(told);
  }

  #ask(asked: Asked): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target
    this.#channel.postMessage(asked);
  }
}

/** Returns the connection without its function, because functions cannot be sent to another tab. */
function plain(connection: Connection): Exclude<Connection, { type: "lost" }> | Lost {
  if (connection.type !== "lost") return connection;
  const { retryNow: _, ...lost } = connection;
  return lost;
}
