import { STATUS_POLICY } from "../home/index.ts";
import { OperationalError } from "../kit/index.ts";
import type { EventLogWriter } from "../log/index.ts";
import type { Pty } from "../pty/index.ts";
import type { WaitedRuns } from "../run/index.ts";
import type { Screen } from "../screen/index.ts";
import type { RenderWaits } from "../wait/index.ts";
import { type HostErrorCode, notCommandable } from "./engine-error.ts";
import { checkInput, checkSize, checkLabel, MAX_PENDING_INPUT_BYTES } from "./input-limits.ts";
import { encodeKey } from "./keys.ts";
import type { StatusKeeper } from "./status-keeper.ts";

export interface SessionInputParts {
  sessionId: string;
  pty: Pty;
  log: EventLogWriter;
  screen: Screen;
  keeper: StatusKeeper;
  runs: WaitedRuns;
  waits: RenderWaits;
}

/**
 * The limit of one input record. A reader holds one line of the Event Log in memory, and JSON can make a character six times as
 * long.
 */
const MAX_RECORD_CHARACTERS = 256 * 1024;

/**
 * Everything that is done to a live Session from outside. Each method resolves with its sequence when the record is in the files.
 */
export class SessionInput {
  readonly #parts: SessionInputParts;

  constructor(parts: SessionInputParts) {
    this.#parts = parts;
  }

  /** Throws SESSION_NOT_RUNNING or SESSION_ALREADY_DESTROYED unless the Session accepts input (A13) and Waited Runs (A15). */
  requireCommandable(): void {
    const { keeper, sessionId } = this.#parts;
    if (!STATUS_POLICY[keeper.status].commandable) throw notCommandable(sessionId, keeper.status);
  }

  async type(text: string): Promise<number> {
    this.requireCommandable();
    checkInput(text);
    this.#requireRead();
    this.#parts.runs.onForeignInput(text);
    return this.#logged(() => this.write(text, "user"));
  }

  paste(text: string): Promise<number> {
    const inert = withoutPasteEnd(text);
    return this.type(this.#parts.screen.isBracketedPaste ? `\x1b[200~${inert}\x1b[201~` : inert);
  }

  async sendKeys(keys: readonly string[]): Promise<number> {
    const { isApplicationCursor: applicationCursor, mouseReporting: mouse } = this.#parts.screen;
    return this.type(keys.map((key) => encodeKey(key, { applicationCursor, mouse })).join(""));
  }

  async mark(label: string): Promise<number> {
    this.requireCommandable();
    checkLabel("label", label);
    return this.#logged(() => this.#parts.log.append({ type: "mark", label }));
  }

  async resize(cols: number, rows: number): Promise<number> {
    this.requireCommandable();
    checkSize(cols, rows);
    const { log, screen, pty, keeper, waits } = this.#parts;
    return this.#logged(() => {
      const seq = log.append({ type: "resize", cols, rows });
      screen.resize(cols, rows, seq);
      pty.resize(cols, rows);
      keeper.recordSize(cols, rows);
      waits.onRendered();
      return seq;
    });
  }

  async signal(name: NodeJS.Signals): Promise<number> {
    this.requireCommandable();
    const { log, pty, runs } = this.#parts;
    return this.#logged(() => {
      if (name === "SIGINT") runs.onInterrupt();
      if (!pty.killForeground(name)) pty.killGroup(name);
      return log.append({ type: "signal", signal: name });
    });
  }

  write(text: string, source: "user" | "run" | "terminal-reply"): number {
    void this.#parts.pty.write(text);
    let seq = 0;
    for (const data of recordSized(text)) seq = this.#parts.log.append({ type: "input", data, source });
    return seq;
  }

  async #logged(act: () => number): Promise<number> {
    const seq = act();
    await this.#parts.log.flush();
    return seq;
  }

  #requireRead(): void {
    const { pty, sessionId } = this.#parts;
    if (pty.pendingInputBytes <= MAX_PENDING_INPUT_BYTES) return;
    throw new OperationalError<HostErrorCode>({
      code: "INPUT_NOT_TAKEN",
      message: `Session ${sessionId} has not read ${pty.pendingInputBytes} bytes of earlier input`,
      remedy: "wait until its program reads again, or send it a signal",
    });
  }
}

/**
 * Removes the end marker from the text: it would end the paste early and type the rest. If removing it forms another one, as with
 * nested markers, all escape characters are removed.
 */
function withoutPasteEnd(text: string): string {
  const once = text.replaceAll("\x1b[201~", "");
  return once.includes("\x1b[201~") ? once.replaceAll("\x1b", "") : once;
}

/** Cuts text into pieces, never inside a surrogate pair; an empty text is one empty piece. */
function* recordSized(text: string): Generator<string> {
  let start = 0;
  do {
    let end = Math.min(start + MAX_RECORD_CHARACTERS, text.length);
    if (end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff) end -= 1;
    yield text.slice(start, end);
    start = end;
  } while (start < text.length);
}
