import type { Home } from "../home/index.ts";
import { type LoggedEvent, readEvents } from "../log/index.ts";
import { type Picture, planPicture, THEMES, type ThemeName } from "../render/index.ts";
import { createScreen, type Screen } from "../screen/index.ts";
import type { RecordingOptions } from "./export-file.ts";
import { ACCELERATED_GAP_MS, type CastTiming, shownGap } from "./timing.ts";

/** The shortest time for which a picture is shown; also the step of `max-speed`, which shows each change and no gaps. */
const FRAME_MS = 50;

/** The largest number of frames of a recording: more would not help a reader and would cost memory. */
const MAX_FRAMES = 500;

export interface Frame {
  /** Time since the beginning of the recording. */
  atMs: number;
  picture: Picture;
  /** One string per line; lines with equal strings look the same. */
  lineKeys: string[];
}

/** How long the last picture is shown before a repeating recording starts again. */
export const END_MS = 3_000;

export interface FilmFacts {
  /** The largest screen of the recording. */
  cols: number;
  rows: number;
  durationMs: number;
  /** The number of screen changes, and the time between them with every gap cut to `ACCELERATED_GAP_MS`. */
  changes: number;
  activeMs: number;
}

export interface Film {
  facts: FilmFacts;
  /** Only frames that differ from the previous one; at most `MAX_FRAMES` + 1. The last frame is the final screen. */
  frames: AsyncGenerator<Frame>;
}

/** Opens the Session as pictures. Frames of long recordings are dropped evenly over the time in which the screen changed. */
export async function openFilm(
  home: Home,
  sessionId: string,
  theme: ThemeName,
  options: RecordingOptions,
): Promise<Film> {
  await home.readManifest(sessionId);
  const directory = home.sessionDirectory(sessionId);
  const facts = await survey(directory, options);
  return { facts, frames: filmFrames(directory, theme, facts, options) };
}

/** Yields each frame with the time for which it is shown. That time is known only when the next frame arrives. */
export async function* timed(frames: AsyncIterable<Frame>): AsyncGenerator<Frame & { durationMs: number }> {
  let held: Frame | null = null;
  for await (const frame of frames) {
    if (held !== null) yield { ...held, durationMs: frame.atMs - held.atMs };
    held = frame;
  }
  if (held !== null) yield { ...held, durationMs: END_MS };
}

async function survey(directory: string, options: RecordingOptions): Promise<FilmFacts> {
  const { onDamage, signal } = options;
  const facts = { cols: 1, rows: 1, durationMs: 0, changes: 0, activeMs: 0 };
  let lastMs = 0;
  for await (const { record } of readEvents(directory, onDamage === undefined ? {} : { onDamage })) {
    signal?.throwIfAborted();
    if (record.type === "started" || record.type === "resize") {
      facts.cols = Math.max(facts.cols, record.cols);
      facts.rows = Math.max(facts.rows, record.rows);
    }
    if (record.type !== "output" && record.type !== "resize") continue;
    const gapMs = Math.max(0, record.t - lastMs);
    facts.changes += 1;
    facts.durationMs += shownGap(gapMs, options.timing ?? "recorded");
    facts.activeMs += Math.min(gapMs, ACCELERATED_GAP_MS);
    lastMs = Math.max(lastMs, record.t);
  }
  if (options.timing === "max-speed") facts.durationMs = Math.min(facts.changes, MAX_FRAMES) * FRAME_MS;
  return facts;
}

async function* filmFrames(
  directory: string,
  theme: ThemeName,
  facts: FilmFacts,
  options: RecordingOptions,
): AsyncGenerator<Frame> {
  const timeline = new Timeline(facts, options.timing ?? "recorded");
  using stage = new Stage(theme);
  for await (const event of readEvents(directory)) {
    options.signal?.throwIfAborted();
    const { record } = event;
    if (record.type === "output" || record.type === "resize") {
      const atMs = timeline.atMs;
      if (timeline.advance(record.t)) {
        const frame = stage.changedFrame(atMs);
        if (frame !== null) yield frame;
      }
    }
    stage.apply(event);
  }
  const frame = stage.changedFrame(timeline.atMs);
  if (frame !== null) yield frame;
}

/** The screen of the recording, and the picture of it that was shown last. */
class Stage implements Disposable {
  readonly #theme: ThemeName;
  #screen: Screen | null = null;
  #shown = "";

  constructor(theme: ThemeName) {
    this.#theme = theme;
  }

  apply({ record, bytes }: LoggedEvent): void {
    if (record.type === "started") {
      this.#screen?.[Symbol.dispose]();
      this.#screen = createScreen(record);
    }
    if (record.type === "output") this.#screen?.write(bytes, record.seq);
    if (record.type === "resize") this.#screen?.resize(record.cols, record.rows, record.seq);
    if (record.type === "exit") this.#screen?.releaseFrame();
  }

  changedFrame(atMs: number): Frame | null {
    if (this.#screen === null) return null;
    const picture = planPicture(this.#screen.detailedSnapshot(), {
      theme: THEMES[this.#theme],
      showCursor: true,
    });
    const lineKeys = picture.lines.map((line) => JSON.stringify(line));
    const key = lineKeys.join("\n");
    if (key === this.#shown) return null;
    this.#shown = key;
    return { atMs, picture, lineKeys };
  }

  [Symbol.dispose](): void {
    this.#screen?.[Symbol.dispose]();
  }
}

/** Computes when in the recording a change of the Session is shown, and which changes share a frame. */
class Timeline {
  readonly #timing: CastTiming;
  readonly #stepMs: number;
  readonly #slotMs: number;
  #lastMs = 0;
  #activeMs = 0;
  #slot = 0;
  /** When the changes so far are shown, in milliseconds since the beginning of the recording. */
  atMs = 0;

  constructor({ changes, activeMs }: FilmFacts, timing: CastTiming) {
    this.#timing = timing;
    this.#stepMs = (FRAME_MS * Math.min(changes, MAX_FRAMES)) / Math.max(1, changes);
    const totalMs = timing === "max-speed" ? this.#stepMs * changes : activeMs;
    this.#slotMs = Math.max(FRAME_MS, totalMs / MAX_FRAMES);
  }

  /** Advances to a change at `t`; returns true if the content before it forms a separate frame. */
  advance(t: number): boolean {
    const gapMs = Math.max(0, t - this.#lastMs);
    const isStepped = this.#timing === "max-speed";
    this.atMs += isStepped ? this.#stepMs : shownGap(gapMs, this.#timing);
    this.#activeMs += isStepped ? this.#stepMs : Math.min(gapMs, ACCELERATED_GAP_MS);
    this.#lastMs = Math.max(this.#lastMs, t);
    const slot = Math.floor(this.#activeMs / this.#slotMs);
    const isNew = slot !== this.#slot;
    this.#slot = slot;
    return isNew;
  }
}
