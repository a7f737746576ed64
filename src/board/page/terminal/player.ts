import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { RecordingDocument, TerminalFrame } from "../../api/index.ts";
import { type Failure, failureOf } from "../data/index.ts";
import { advance, framesUntil, planSeek } from "./time-line.ts";

export const speeds = [0.5, 1, 2, 4, 8, 16] as const;

/** The screen that a player draws on. */
export interface PlayedScreen {
  clear(size: { cols: number; rows: number }): void;
  show(frames: readonly TerminalFrame[]): void;
  whenShown(action: () => void): void;
}

/** Returns the part of a recording that begins at a time (B5). */
export type PartLoader = (atMs: number, signal: AbortSignal) => Promise<RecordingDocument>;

const EMPTY_SIZE = { cols: 80, rows: 24 };

/** Plays a recording on a screen. There is one target time, `atMs`, which the screen follows as fast as it can. */
export class Player {
  readonly atMs = signal(0);
  readonly isPlaying = signal(false);
  readonly speed = signal<number>(1);
  readonly skipsSilence = signal(true);
  readonly isAtEnd: ReadonlySignal<boolean>;
  /** The part of the recording that is loaded. */
  readonly recording;
  /** The reason why another part could not be loaded. */
  readonly failure = signal<Failure | null>(null);
  readonly #screen: PlayedScreen;
  readonly #load: PartLoader | null;
  readonly #closed = new AbortController();
  #shown = 0;
  #isShowing = false;
  #isLoading = false;
  #animation = 0;
  #drawnAtMs: number | null = null;

  constructor(recording: RecordingDocument, screen: PlayedScreen, load: PartLoader | null = null) {
    this.recording = signal(recording);
    this.#screen = screen;
    this.#load = load;
    this.isAtEnd = computed(() => this.atMs.value >= this.durationMs);
  }

  get durationMs(): number {
    return this.recording.value.durationMs;
  }

  /** The time at which the recording begins; later than 0 when its beginning is not available. */
  get startMs(): number {
    return this.#load === null ? (this.#frames[0]?.t ?? 0) : 0;
  }

  get #frames(): readonly TerminalFrame[] {
    return this.recording.value.frames;
  }

  close(): void {
    this.pause();
    this.#closed.abort();
  }

  seek(tMs: number): void {
    this.atMs.value = Math.max(this.startMs, Math.min(this.durationMs, tMs));
    this.#follow();
  }

  /** Goes to the previous or next frame. */
  step(direction: 1 | -1): void {
    this.pause();
    const index = framesUntil(this.#frames, this.atMs.value) - 1 + direction;
    const { startMs } = this.recording.value.window;
    // The previous frame is in the previous part of the recording.
    if (index < 0 && this.#load !== null && startMs > 0) return this.seek(startMs - 1);
    const frame = this.#frames[Math.max(0, Math.min(this.#frames.length - 1, index))];
    if (frame !== undefined) this.seek(frame.t);
  }

  toggle(): void {
    if (this.isPlaying.value) this.pause();
    else this.play();
  }

  play(): void {
    if (this.isAtEnd.value) this.seek(this.startMs);
    this.isPlaying.value = true;
    this.#drawnAtMs = null;
    this.#animation = requestAnimationFrame(this.#animate);
  }

  pause(): void {
    this.isPlaying.value = false;
    cancelAnimationFrame(this.#animation);
  }

  readonly #animate = (nowMs: number): void => {
    if (!this.isPlaying.value) return;
    const passedMs = (nowMs - (this.#drawnAtMs ?? nowMs)) * this.speed.value;
    this.#drawnAtMs = nowMs;
    this.seek(advance(this.#frames, this.atMs.value, passedMs, this.skipsSilence.value));
    if (this.isAtEnd.value) this.pause();
    else this.#animation = requestAnimationFrame(this.#animate);
  };

  /**
   * Shows the target. While the screen draws an earlier target, the target may change several times; only the last one is drawn.
   */
  #follow(): void {
    if (this.#isShowing || this.#isLoading) return;
    if (this.#load !== null && !this.#isLoaded(this.atMs.value)) return void this.#loadPart(this.#load);
    const { isFromStart, from, to } = planSeek(this.#frames, this.#shown, this.atMs.value);
    if (!isFromStart && from === to) return;
    const first = this.#frames[from];
    if (isFromStart) this.#screen.clear(first?.type === "reset" ? first : EMPTY_SIZE);
    this.#screen.show(this.#frames.slice(from, to));
    this.#shown = to;
    this.#isShowing = true;
    this.#screen.whenShown(() => {
      this.#isShowing = false;
      this.#follow();
    });
  }

  #isLoaded(tMs: number): boolean {
    const { startMs, endMs, isEnd } = this.recording.value.window;
    return tMs >= startMs && (isEnd || tMs < endMs);
  }

  /**
   * Loads the part that contains the target. The screen stays unchanged in the meantime. If the target has moved beyond the part,
   * another part is loaded.
   */
  async #loadPart(load: PartLoader): Promise<void> {
    this.#isLoading = true;
    const wantedMs = this.atMs.value;
    try {
      const part = await load(wantedMs, this.#closed.signal);
      this.#shown = 0;
      this.recording.value = part;
      this.failure.value = null;
      // If the part does not contain the requested time, the target moves to its start, because the time would be requested again
      // and again.
      if (!this.#isLoaded(wantedMs)) this.atMs.value = part.window.startMs;
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.pause();
      this.failure.value = failureOf(error);
      return;
    } finally {
      this.#isLoading = false;
    }
    this.#follow();
  }
}
