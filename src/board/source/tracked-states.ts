import { type Home, readEvents, type SessionManifest, sessionLiveness } from "agent-tty";
import type { Clock } from "agent-tty/kit";
import type { StateDocument, StateSeriesDocument } from "../api/index.ts";
import {
  changesOf,
  recogniseTool,
  replayedStates,
  type ResolvedProfile,
  resolveProfile,
} from "../../tui/index.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { StateWatch } from "./state-watch.ts";
import { trackedStateDocument } from "./tracked-state-document.ts";

export interface TrackedSession {
  home: Home;
  manifest: SessionManifest;
}

const MAX_STATES = 5_000;
const KEPT_SERIES = 16;
const MAX_WATCHES = 16;
/** The time, in milliseconds, for which a result about a living Session is reused, because each new result reads its Event Log. */
const FRESH_MS = 2_000;

/**
 * The tracked states of Sessions, present and past (H1–H4). They are costly to compute, so they are cached: those of a living
 * Session only briefly.
 */
export class TrackedStates implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #ended = new BoundedCache<StateSeriesDocument>(KEPT_SERIES);
  readonly #living = new BoundedCache<StateSeriesDocument>(KEPT_SERIES);
  readonly #detections = new BoundedCache<ResolvedProfile | null>(4 * KEPT_SERIES);
  readonly #watches = new Map<string, StateWatch>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  series(session: TrackedSession): Promise<StateSeriesDocument> {
    const { sessionId } = session.manifest;
    const work = (): Promise<StateSeriesDocument> => this.#replay(session);
    return isLive(session)
      ? this.#living.get(this.#momentOf(sessionId), work)
      : this.#ended.get(sessionId, work);
  }

  async now(session: TrackedSession, signal: AbortSignal): Promise<StateDocument> {
    const detection = await this.#detection(session);
    if (detection === null)
      return { type: "none", reason: "it is not known which TUI runs in this terminal" };
    if (isLive(session)) {
      const state = await this.#watch(session, detection).current(signal);
      if (state === null) return { type: "none", reason: "the state of its TUI is not known yet" };
      const startedAtMs = await startOf(session);
      const nowMs = this.#clock.nowMs();
      return { type: "tracked", isLive: true, state: trackedStateDocument(state, { startedAtMs, nowMs }) };
    }
    const last = (await this.series(session)).states.at(-1);
    if (last === undefined) return { type: "none", reason: "its recording has no screen" };
    return { type: "tracked", isLive: false, state: last };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch[Symbol.asyncDispose]()));
  }

  /** Returns the watch of a Session, which all readers share. It ends after a time without requests. */
  #watch({ home, manifest: { sessionId } }: TrackedSession, detection: ResolvedProfile): StateWatch {
    const known = this.#watches.get(sessionId);
    if (known !== undefined) return known;
    const [oldest] = this.#watches.values();
    if (this.#watches.size >= MAX_WATCHES) void oldest?.[Symbol.asyncDispose]();
    const watch = new StateWatch(home, sessionId, {
      detection,
      clock: this.#clock,
      onEnd: () => {
        if (this.#watches.get(sessionId) === watch) this.#watches.delete(sessionId);
      },
    });
    this.#watches.set(sessionId, watch);
    return watch;
  }

  /**
   * Returns the detector profile of a Session's TUI. The mark that names the TUI may be recorded late, so a living Session is
   * checked again.
   */
  #detection(session: TrackedSession): Promise<ResolvedProfile | null> {
    const { home, manifest } = session;
    const { sessionId } = manifest;
    if (this.#watches.has(sessionId)) return this.#detections.get(sessionId, () => detect(home, sessionId));
    const key = isLive(session) ? this.#momentOf(sessionId) : sessionId;
    return this.#detections
      .get(key, () => detect(home, sessionId))
      .then((found) => {
        if (found !== null) void this.#detections.get(sessionId, () => Promise.resolve(found));
        return found;
      });
  }

  async #replay(session: TrackedSession): Promise<StateSeriesDocument> {
    const { home, manifest } = session;
    const schema = "afk-triage/board-states@1";
    const detection = await this.#detection(session);
    const series: StateSeriesDocument = { schema, states: [], isTruncated: false };
    if (detection === null) return series;
    const startedAtMs = await startOf(session);
    const nowMs = isLive(session) ? this.#clock.nowMs() : Date.parse(manifest.updatedAt);
    for await (const one of changesOf(replayedStates(home, manifest.sessionId, { detection, nowMs }))) {
      if (series.states.length >= MAX_STATES) return { ...series, isTruncated: true };
      series.states.push(trackedStateDocument(one, { startedAtMs, nowMs: one.atMs }));
    }
    return series;
  }

  #momentOf(sessionId: string): string {
    return `${sessionId} ${Math.floor(this.#clock.monotonicMs() / FRESH_MS)}`;
  }
}

function isLive({ manifest }: TrackedSession): boolean {
  return sessionLiveness(manifest) === "live";
}

async function detect(home: Home, sessionId: string): Promise<ResolvedProfile | null> {
  const tool = await recogniseTool(home, sessionId, { tool: null, observedVersion: null });
  return tool === null ? null : resolveProfile(tool);
}

/** Returns the wall time of the Session's start, at which its time line begins. */
async function startOf({ home, manifest }: TrackedSession): Promise<number> {
  for await (const { record } of readEvents(home.sessionDirectory(manifest.sessionId), { toSeq: 1 }))
    if (record.type === "started") return record.wallMs - record.t;
  return Date.parse(manifest.createdAt);
}
