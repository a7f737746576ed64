import type { Clock } from "../kit/index.ts";
import type { DetailedSnapshot, StyledSnapshot } from "./detailed-snapshot.ts";
import { createScreen, type Screen, type ScreenOptions, type ScreenState } from "./screen.ts";
import type { SemanticSnapshot } from "./semantic-snapshot.ts";
import { type Kept, SharedEmulator } from "./shared-emulator.ts";

/** The most output, in bytes, that is kept to be rendered again. With more output, the emulator is permanent. */
const KEPT_BYTES = 16 * 1024;
/** How long a temporary emulator is kept after the last read of the screen. */
const REST_AFTER_MS = 1_000;

/**
 * Matches output, decoded as latin1, that an emulator has to process at once, because the program may wait for an answer to it or
 * its next input may depend on a mode: control characters other than line controls, escape sequences other than colours and
 * erased lines, and what may be the beginning of such a sequence.
 */
const FOR_THE_EMULATOR = /[\x00-\x06\x0e-\x1a\x1c-\x1f]|\xc2(?:[\x80-\x9f]|$)|\x1b(?!\[[\d;]*[mK])/;

const shared = new SharedEmulator(createScreen);

/**
 * Creates a screen that has no emulator, which takes 250 kB, as long as the output so far is short and plain. Its text is read
 * with one emulator that all of these screens share. For its cells and modes an emulator is created and dropped a second later.
 * This saves memory and time in a parent with hundreds of Sessions, whose screens are seldom read.
 */
export function createLateScreen(
  options: ScreenOptions,
  clock: Clock,
  create: (options: ScreenOptions) => Screen = createScreen,
  emulator = shared,
): Screen {
  return new LateScreen(options, clock, create, emulator);
}

class LateScreen implements Screen {
  readonly #options: ScreenOptions;
  readonly #clock: Clock;
  readonly #create: (options: ScreenOptions) => Screen;
  readonly #shared: SharedEmulator;
  /** All output and sizes that the screen has received so far; null: the emulator is permanent. */
  #kept: Kept[] | null = [];
  #keptBytes = 0;
  #emulator: Screen | null = null;
  #rest: Disposable | null = null;
  #seq = 0;

  constructor(
    options: ScreenOptions,
    clock: Clock,
    create: (options: ScreenOptions) => Screen,
    emulator: SharedEmulator,
  ) {
    this.#options = options;
    this.#clock = clock;
    this.#create = create;
    this.#shared = emulator;
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

  get canEndFrame(): boolean {
    return this.#emulator?.canEndFrame ?? false;
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
    // Without an emulator there is no frame to release: output that begins one is never deferred.
    this.#emulator?.releaseFrame();
  }

  snapshot(): SemanticSnapshot {
    if (this.#kept === null || this.#emulator !== null) return this.#looked().snapshot();
    return this.#shared.snapshotOf(this.#kept, this.#options);
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
