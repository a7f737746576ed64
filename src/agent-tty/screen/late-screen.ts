import type { Clock } from "../kit/index.ts";
import type { DetailedSnapshot, StyledSnapshot } from "./detailed-snapshot.ts";
import { createScreen, type Screen, type ScreenOptions, type ScreenState } from "./screen.ts";
import type { SemanticSnapshot } from "./semantic-snapshot.ts";

/** More output than this is not rendered again, in bytes: from there on the emulator stays. */
const KEPT_BYTES = 16 * 1024;
/** How long an emulator stays that was made for a look, after the last look. */
const REST_AFTER_MS = 1_000;

/**
 * Output in latin1 that an emulator has to see at once, because the program may wait for an answer to it or hear of a mode by its
 * next input: control characters other than those of lines, escape sequences other than colours and erased lines, and
 * what may be the beginning of one.
 */
const FOR_THE_EMULATOR = /[\x00-\x06\x0e-\x1a\x1c-\x1f]|\xc2(?:[\x80-\x9f]|$)|\x1b(?!\[[\d;]*[mK])/;

type Kept = { bytes: Uint8Array; seq: number } | { cols: number; rows: number; seq: number };

/**
 * A screen whose emulator, which takes 250 kB, is made when somebody looks, and dropped a second later for as long as all the output
 * is little and plain. A parent of hundreds of Sessions seldom looks at any.
 */
export function createLateScreen(
  options: ScreenOptions,
  clock: Clock,
  create: (options: ScreenOptions) => Screen = createScreen,
): Screen {
  return new LateScreen(options, clock, create);
}

class LateScreen implements Screen {
  readonly #options: ScreenOptions;
  readonly #clock: Clock;
  readonly #create: (options: ScreenOptions) => Screen;
  /** All that the screen was told so far; null: the emulator stays. */
  #kept: Kept[] | null = [];
  #keptBytes = 0;
  #emulator: Screen | null = null;
  #rest: Disposable | null = null;
  #seq = 0;

  constructor(options: ScreenOptions, clock: Clock, create: (options: ScreenOptions) => Screen) {
    this.#options = options;
    this.#clock = clock;
    this.#create = create;
  }

  get isBracketedPaste(): boolean {
    return this.#looked().isBracketedPaste;
  }

  get isApplicationCursor(): boolean {
    return this.#looked().isApplicationCursor;
  }

  get mouseReporting(): Screen["mouseReporting"] {
    return this.#looked().mouseReporting;
  }

  get frameSeq(): number {
    return this.#emulator?.frameSeq ?? this.#seq;
  }

  write(bytes: Uint8Array, seq: number): void {
    if (this.#kept !== null && !this.#isKept(bytes)) this.#stay();
    this.#kept?.push({ bytes: Buffer.from(bytes), seq });
    this.#emulator?.write(bytes, seq);
    this.#seq = seq;
  }

  resize(cols: number, rows: number, seq: number): void {
    this.#kept?.push({ cols, rows, seq });
    this.#emulator?.resize(cols, rows, seq);
    this.#seq = seq;
  }

  settle(): void {
    this.#emulator?.settle();
  }

  releaseFrame(): void {
    // Output that is kept begins no frame.
    this.#emulator?.releaseFrame();
  }

  snapshot(): SemanticSnapshot {
    return this.#looked().snapshot();
  }

  styledSnapshot(): StyledSnapshot {
    return this.#looked().styledSnapshot();
  }

  detailedSnapshot(): DetailedSnapshot {
    return this.#looked().detailedSnapshot();
  }

  state(): ScreenState | null {
    return this.#looked().state();
  }

  [Symbol.dispose](): void {
    this.#rest?.[Symbol.dispose]();
    this.#emulator?.[Symbol.dispose]();
  }

  #isKept(bytes: Uint8Array): boolean {
    this.#keptBytes += bytes.byteLength;
    if (this.#keptBytes > KEPT_BYTES) return false;
    const { buffer, byteOffset, byteLength } = bytes;
    return !FOR_THE_EMULATOR.test(Buffer.from(buffer, byteOffset, byteLength).toString("latin1"));
  }

  #stay(): void {
    this.#made();
    this.#rest?.[Symbol.dispose]();
    this.#kept = null;
  }

  #looked(): Screen {
    const emulator = this.#made();
    if (this.#kept !== null) {
      this.#rest?.[Symbol.dispose]();
      this.#rest = this.#clock.schedule(REST_AFTER_MS, () => this.#drop());
    }
    return emulator;
  }

  #drop(): void {
    this.#emulator?.[Symbol.dispose]();
    this.#emulator = null;
  }

  #made(): Screen {
    if (this.#emulator !== null) return this.#emulator;
    const emulator = this.#create(this.#options);
    for (const told of this.#kept ?? []) {
      if ("bytes" in told) emulator.write(told.bytes, told.seq);
      else emulator.resize(told.cols, told.rows, told.seq);
    }
    this.#emulator = emulator;
    return emulator;
  }
}
