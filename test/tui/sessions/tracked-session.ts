import { join } from "node:path";
import type { Home, Session } from "agent-tty";
import { toolMark, type TrackedState } from "../../../src/tui/index.ts";
import { engine, PATIENT } from "../../agent-tty/engine-fixture.ts";

const IMITATION = join(import.meta.dirname, "../driver/imitation-claude.mjs");

export interface TrackedSession extends AsyncDisposable {
  home: Home;
  session: Session;
  /** A person's Turn: trust, a prompt, a permission, the end. */
  playTurn(): Promise<void>;
}

/** A Session in which an imitation of Claude Code runs, and says so by a mark. */
export async function trackedSession(): Promise<TrackedSession> {
  const tty = await engine();
  const result = join(tty.directory, "result");
  const session = await tty.create({ command: [process.execPath, IMITATION, "whole", result] });
  await session.mark(toolMark({ tool: "claude", observedVersion: "2.1.197" }));
  const shows = async (text: string): Promise<void> => {
    // As long as a person would need: a tracker looks at moments.
    const seen = await session.wait({ text, screenStableMs: 200 }, PATIENT);
    if (seen.type !== "matched") throw new Error(`no "${text}": ${JSON.stringify(seen)}`);
  };
  return {
    home: tty.home,
    session,
    playTurn: async () => {
      await shows("❯ No, exit");
      await session.sendKeys(["Down"]);
      await shows("❯ Yes, I trust");
      await session.sendKeys(["Enter"]);
      await shows("? for shortcuts");
      await session.paste("do it");
      await shows("do it");
      await session.sendKeys(["Enter"]);
      await shows("❯ 3. No");
      await session.sendKeys(["Up", "Up"]);
      await shows("❯ 1. Yes");
      await session.sendKeys(["Enter"]);
      await shows("Baked for 1s");
    },
    [Symbol.asyncDispose]: () => tty[Symbol.asyncDispose](),
  };
}

/** One line a state: what the terminal shows, the phase, and how the last Turn ended. */
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
