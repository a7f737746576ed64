import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Home, Session } from "agent-tty";
import { toolMark, type TrackedState } from "../../../src/tui/index.ts";
import { engine, PATIENT } from "../../agent-tty/engine-fixture.ts";

const IMITATION = join(import.meta.dirname, "../driver/imitation-claude.mjs");

export interface TrackedSession extends AsyncDisposable {
  home: Home;
  session: Session;
  /** Plays a person's part in a Turn: trust, a prompt, a permission, the end. Waits for `seen` at each of its six screens. */
  playTurn(seen?: (screen: number) => Promise<void>): Promise<void>;
}

/** A time longer than any tracker waits between two reads of a changing screen, in milliseconds. */
const LOOKED_AT_MS = 100;

/** Starts a Session with an imitation of Claude Code, named by a mark. */
export async function trackedSession(): Promise<TrackedSession> {
  const tty = await engine();
  const result = join(tty.directory, "result");
  const goFile = join(tty.directory, "go");
  const session = await tty.create({ command: [process.execPath, IMITATION, "whole", result, goFile] });
  await session.mark(toolMark({ tool: "claude", observedVersion: "2.1.197" }));
  const shows = async (text: string): Promise<void> => {
    const shown = await session.wait({ text, screenStableMs: LOOKED_AT_MS }, PATIENT);
    if (shown.type !== "matched") throw new Error(`no "${text}": ${JSON.stringify(shown)}`);
  };
  return {
    home: tty.home,
    session,
    playTurn: async (seen = () => Promise.resolve()) => {
      await shows("❯ No, exit");
      await seen(0);
      await session.sendKeys(["Down"]);
      await shows("❯ Yes, I trust");
      await session.sendKeys(["Enter"]);
      await shows("Adding a new directory");
      await session.sendKeys(["Down"]);
      await shows("❯ Yes, add it");
      await session.sendKeys(["Enter"]);
      await shows("? for shortcuts");
      await seen(1);
      await session.paste("do it");
      await shows("do it");
      await session.sendKeys(["Enter"]);
      await shows("esc to interrupt");
      await seen(2);
      await writeFile(`${goFile}.1`, "");
      await shows("❯ 3. No");
      await seen(3);
      await session.sendKeys(["Up", "Up"]);
      await shows("❯ 1. Yes");
      await session.sendKeys(["Enter"]);
      await shows("esc to interrupt");
      await seen(4);
      await writeFile(`${goFile}.2`, "");
      await shows("Baked for 1s");
      await seen(5);
    },
    [Symbol.asyncDispose]: () => tty[Symbol.asyncDispose](),
  };
}

export function lineOf({
  diagnostics,
  surface,
  turn,
  lastTurn,
}: Pick<TrackedState, "diagnostics" | "surface" | "turn" | "lastTurn">): string {
  const last = lastTurn.result === "none" ? "" : ` ${lastTurn.result}/${lastTurn.source}`;
  return `${diagnostics.availability} ${surface.shows.type} ${turn.phase}${last}`;
}

export function withoutRepeats(lines: readonly string[]): string[] {
  return lines.filter((line, index) => line !== lines[index - 1]);
}
