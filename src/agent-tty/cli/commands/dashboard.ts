import { watch } from "node:fs/promises";
import { join } from "node:path";
import { type Home, type SessionManifest, STATUS_POLICY } from "../../home/index.ts";
import { followEvents, readLastSeq } from "../../log/index.ts";
import { replaySession } from "../../replay/index.ts";
import { dashboardLines } from "../dashboard-view.ts";
import { askLiveHost } from "../live-host.ts";
import { enterRawMode, writeTerminal } from "../own-terminal.ts";
import type { CommandResult } from "../report.ts";
import { usageError } from "../usage.ts";

const FRAME_MS = 100;
const LOOK_AGAIN_MS = 2_000;
const ENTER_ALTERNATE_SCREEN = "\x1b[?1049h\x1b[?25l";

/** Shows the active Sessions of a home and the screen of one of them, read-only. Redraws after every change. */
export async function dashboard(home: Home, signal: AbortSignal): Promise<CommandResult> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw usageError(
      "dashboard needs a terminal on stdin and stdout",
      "Run it in a terminal, or use list and follow",
    );
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  using _raw = enterRawMode(() => ended.abort());
  await writeTerminal(Buffer.from(ENTER_ALTERNATE_SCREEN));
  const watching = new Dashboard(home, stop, () => ended.abort());
  await watching.run();
  return { result: { ended: "left" }, text: "" };
}

class Dashboard {
  readonly #home: Home;
  readonly #stop: AbortSignal;
  readonly #leave: () => void;
  #sessions: SessionManifest[] = [];
  #selectedId: string | null = null;
  #following = new AbortController();
  #wake: () => void = () => undefined;

  constructor(home: Home, stop: AbortSignal, leave: () => void) {
    this.#home = home;
    this.#stop = stop;
    this.#leave = leave;
  }

  async run(): Promise<void> {
    const onKeys = (bytes: Buffer): void => this.#onKeys(bytes.toString("latin1"));
    process.stdin.on("data", onKeys).resume();
    this.#stop.addEventListener("abort", () => this.#wake(), { once: true });
    void this.#watchHome();
    try {
      while (!this.#stop.aborted) {
        const changed = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        await this.#draw();
        // A killed host changes no file, so the list is also read at intervals.
        using _look = this.#home.clock.schedule(LOOK_AGAIN_MS, () => this.#wake());
        await changed;
        await this.#home.clock.sleep(FRAME_MS, this.#stop).catch(() => undefined);
      }
    } finally {
      this.#following.abort();
      process.stdin.off("data", onKeys).pause();
    }
  }

  async #draw(): Promise<void> {
    const readings = await this.#home.listManifests();
    this.#sessions = readings.flatMap((reading) =>
      reading.type === "read" && STATUS_POLICY[reading.manifest.status].active ? [reading.manifest] : [],
    );
    if (!this.#sessions.some(({ sessionId }) => sessionId === this.#selectedId))
      this.#select(this.#sessions.at(-1)?.sessionId ?? null);
    const screen = this.#selectedId === null ? [] : await this.#screenOf(this.#selectedId);
    const { columns: cols, rows } = process.stdout;
    const view = { sessions: this.#sessions, selectedId: this.#selectedId, screen };
    const lines = dashboardLines(view, { cols, rows }).map((line) => `${line}\x1b[K`);
    await writeTerminal(Buffer.from(`\x1b[H${lines.join("\r\n")}\x1b[J`));
  }

  async #screenOf(sessionId: string): Promise<string[]> {
    const detail = { cells: false, scrollback: false };
    const live = await askLiveHost(this.#home, sessionId, (host) =>
      host.call({ method: "snapshot", format: "text", detail }),
    );
    if (live !== null) return String(live["text"]).split("\n");
    return (await replaySession(this.#home, sessionId)).visibleLines;
  }

  #onKeys(keys: string): void {
    if (/[q\x03\x04]/.test(keys)) this.#leave();
    const step = /\x1b[[O]A|k/.test(keys) ? -1 : /\x1b[[O]B|j/.test(keys) ? 1 : 0;
    const at = this.#sessions.findIndex(({ sessionId }) => sessionId === this.#selectedId);
    const next = this.#sessions[Math.min(Math.max(at + step, 0), this.#sessions.length - 1)];
    if (step !== 0 && next !== undefined) this.#select(next.sessionId);
  }

  #select(sessionId: string | null): void {
    this.#selectedId = sessionId;
    this.#following.abort();
    this.#following = new AbortController();
    if (sessionId !== null) void this.#follow(sessionId, this.#following.signal);
    this.#wake();
  }

  /** Redraws after every event of the selected Session. */
  async #follow(sessionId: string, signal: AbortSignal): Promise<void> {
    const directory = this.#home.sessionDirectory(sessionId);
    try {
      const { lastSeq } = await readLastSeq(directory);
      const { clock } = this.#home;
      const options = { fromSeq: lastSeq + 1, signal: AbortSignal.any([signal, this.#stop]), clock };
      for await (const _event of followEvents(directory, options)) this.#wake();
    } catch {
      // The Session was collected while it was shown; the next redraw omits it.
    }
    this.#wake();
  }

  async #watchHome(): Promise<void> {
    try {
      const changes = watch(join(this.#home.directory, "sessions"), { signal: this.#stop });
      for await (const _change of changes) this.#wake();
    } catch {
      // Without the watch, the list is read every two seconds.
    }
  }
}
