import type { Clock } from "agent-tty/kit";
import { followChanges, type FollowedChange } from "./follow-changes.ts";
import type { Store } from "./store.ts";

export type ChangeSubscriber = (followed: FollowedChange) => void;

export interface ChangeFeed extends AsyncDisposable {
  /** From now on; what came before is read from the store. A subscriber that throws is heard no more of, the others go on. */
  subscribe(subscriber: ChangeSubscriber): Disposable;
  /** Rejects when the store fails for good; resolves when the feed is disposed. */
  readonly ended: Promise<void>;
}

/** O21: one poller of one store for many subscribers. It begins at the head of the log: a restart repeats nothing. */
export function createChangeFeed(
  store: Store,
  { clock, intervalMs }: { clock: Clock; intervalMs?: number },
): ChangeFeed {
  const subscribers = new Set<ChangeSubscriber>();
  const stop = new AbortController();
  const ended = publish(
    followChanges(store, {
      clock,
      cursor: store.lastChange(),
      signal: stop.signal,
      ...(intervalMs === undefined ? {} : { intervalMs }),
    }),
    subscribers,
  );
  ended.catch(() => undefined);
  return {
    ended,
    subscribe: (subscriber) => {
      subscribers.add(subscriber);
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error("the change feed is closed"));
      await ended.catch(() => undefined);
    },
  };
}

async function publish(
  changes: AsyncIterable<FollowedChange>,
  subscribers: Set<ChangeSubscriber>,
): Promise<void> {
  for await (const followed of changes) {
    for (const subscriber of subscribers) {
      try {
        subscriber(followed);
      } catch {
        subscribers.delete(subscriber);
      }
    }
  }
}
