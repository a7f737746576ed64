import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { RecordingDocument, TerminalFrame } from "../../api/index.ts";
import { advance, framesUntil, planSeek } from "./time-line.ts";

export const speeds = [0.5, 1, 2, 4, 8, 16] as const;

/** The screen that a player draws on. */
export interface PlayedScreen {
  clear(size: { cols: number; rows: number }): void;
  show(frames: readonly TerminalFrame[]): void;
  whenShown(action: () => void): void;
}

const EMPTY_SIZE = { cols: 80, rows: 24 };

/** Plays a recording on a screen. There is one target moment, which the screen follows as fast as it can. */
export class Player {
  readonly atMs = signal(0);
  readonly isPlaying = signal(false);
  readonly speed = signal<number>(1);
  readonly skipsSilence = signal(true);
  readonly isAtEnd: ReadonlySignal<boolean>;
  readonly #recording: RecordingDocument;
  readonly #screen: PlayedScreen;
  readonly #frames: readonly TerminalFrame[];
  #shown = 0;
  #isShowing = false;
  #animation = 0;
  #drawnAtMs: number | null = null;

  constructor(recording: RecordingDocument, screen: PlayedScreen) {
    this.#recording = recording;
    this.#screen = screen;
    this.#frames = recording.frames;
    this.isAtEnd = computed(() => this.atMs.value >= recording.durationMs);
  }

  get durationMs(): number {
    return this.#recording.durationMs;
  }

  /** The beginning of the recording's time; later than 0 when its beginning was cut off. */
  get startMs(): number {
    return this.#frames[0]?.t ?? 0;
  }

  seek(tMs: number): void {
    this.atMs.value = Math.max(this.startMs, Math.min(this.durationMs, tMs));
    this.#follow();
  }

  /** Goes to the previous or next frame. */
  step(direction: 1 | -1): void {
    this.pause();
    const index = framesUntil(this.#frames, this.atMs.value) - 1 + direction;
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

  /** While the screen draws an earlier target, the target may change again: only the last one counts. */
  #follow(): void {
    if (this.#isShowing) return;
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
}
