import type { Home } from "../home/index.ts";
import { type Clock, raceSignal } from "../kit/index.ts";
import { type EventRecord, followEvents, type LoggedEvent } from "../log/index.ts";
import type { DetailedSnapshot, Screen } from "../screen/index.ts";
import { replayScreen } from "./replay.ts";

/** The screen of a live Session, rendered in this process from its Event Log, for a reader outside the Session's host. */
export interface FollowedScreen extends AsyncDisposable {
  /** The last sequence that was read. */
  readonly seq: number;
  /** The child has exited, or the Event Log can no longer be read: there will be no more events. */
  readonly hasEnded: boolean;
  detailedSnapshot(): DetailedSnapshot;
  /** Resolves when an event beyond `afterSeq` was read, or at the end; rejects with the signal's reason. */
  changed(afterSeq: number, signal: AbortSignal): Promise<void>;
}

export interface FollowOptions {
  /** Called for every event when it is on the screen. Must not throw. */
  onEvent?: (record: EventRecord) => unknown;
}

/** Follows a Session's screen, starting with everything that is already in the Event Log. Rejects as `replaySession` does. */
export async function followScreen(
  home: Home,
  sessionId: string,
  { onEvent = () => undefined }: FollowOptions = {},
): Promise<FollowedScreen> {
  const manifest = await home.readManifest(sessionId);
  const directory = home.sessionDirectory(sessionId);
  const screen = await replayScreen(directory, manifest, {});
  return new FollowingScreen(directory, screen, { clock: home.clock, onEvent });
}

type FollowParts = Required<FollowOptions> & { clock: Clock };

class FollowingScreen implements FollowedScreen {
  readonly #screen: Screen;
  readonly #onEvent: (record: EventRecord) => unknown;
  readonly #stop = new AbortController();
  readonly #following: Promise<void>;
  #seq: number;
  #hasEnded = false;
  #wake: () => void = () => undefined;
  #news: Promise<void>;

  constructor(directory: string, screen: Screen, { clock, onEvent }: FollowParts) {
    this.#screen = screen;
    this.#onEvent = onEvent;
    this.#seq = screen.snapshot().seq;
    this.#news = this.#nextNews();
    this.#following = this.#follow(directory, clock);
  }

  get seq(): number {
    return this.#seq;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  detailedSnapshot(): DetailedSnapshot {
    return this.#screen.detailedSnapshot();
  }

  async changed(afterSeq: number, signal: AbortSignal): Promise<void> {
    while (this.#seq <= afterSeq && !this.#hasEnded) await raceSignal(this.#news, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("this screen is no longer followed"));
    await this.#following;
    this.#screen[Symbol.dispose]();
  }

  async #follow(directory: string, clock: Clock): Promise<void> {
    const range = { fromSeq: this.#seq + 1, signal: this.#stop.signal, clock };
    try {
      for await (const event of followEvents(directory, range)) this.#render(event);
    } catch {
      // For this reader an unreadable log is the end; the host reports the cause.
    }
    this.#hasEnded = true;
    this.#tell();
  }

  #render({ record, bytes }: LoggedEvent): void {
    this.#seq = record.seq;
    if (record.type === "output") this.#screen.write(bytes, record.seq);
    if (record.type === "resize") this.#screen.resize(record.cols, record.rows, record.seq);
    if (record.type === "exit") this.#screen.releaseFrame();
    this.#onEvent(record);
    this.#tell();
  }

  #tell(): void {
    this.#wake();
    this.#news = this.#nextNews();
  }

  #nextNews(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}
