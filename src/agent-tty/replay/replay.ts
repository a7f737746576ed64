import type { Home } from "../home/index.ts";
import { type LogDamage, type LoggedEvent, readEvents } from "../log/index.ts";
import { createScreen, type DetailedSnapshot, type Screen, type SemanticSnapshot } from "../screen/index.ts";
import {
  checkCondition,
  matchRenderWait,
  refuseStabilityOffline,
  type RenderWaitCondition,
  type RenderWaitMatch,
} from "../wait/index.ts";
import { openCheckpoint } from "./checkpoint.ts";

export interface ReplayOptions {
  /** Show the screen as of this sequence; default: the last one. */
  atSeq?: number;
  /** Called for damage in the part of the Event Log that is read, which begins at the last checkpoint. */
  onDamage?: (damage: LogDamage) => void;
}

/**
 * Returns the screen of a Session, rebuilt from its manifest and Event Log (A7) with the code that renders it live. Rejects with
 * SESSION_NOT_FOUND or SESSION_UNREADABLE.
 */
export async function replaySession(
  home: Home,
  sessionId: string,
  options: ReplayOptions = {},
): Promise<SemanticSnapshot> {
  const manifest = await home.readManifest(sessionId);
  using screen = await replayScreen(home.sessionDirectory(sessionId), manifest, options);
  return screen.snapshot();
}

/** Returns the same as `replaySession`, with cells, modes and scrollback. */
export async function replayDetailedSnapshot(
  home: Home,
  sessionId: string,
  options: ReplayOptions = {},
): Promise<DetailedSnapshot> {
  const manifest = await home.readManifest(sessionId);
  using screen = await replayScreen(home.sessionDirectory(sessionId), manifest, options);
  return screen.detailedSnapshot();
}

/**
 * Returns whether content and cursor of a Session without a live host satisfy a condition (A20). Rejects with
 * STABILITY_NOT_PROVABLE_OFFLINE if the condition contains stability, which replay cannot prove (A21).
 */
export async function matchOffline(
  home: Home,
  sessionId: string,
  condition: RenderWaitCondition,
  options: Pick<ReplayOptions, "onDamage"> = {},
): Promise<{ match: RenderWaitMatch; snapshot: SemanticSnapshot }> {
  checkCondition(condition);
  refuseStabilityOffline(condition);
  const snapshot = await replaySession(home, sessionId, options);
  return { match: matchRenderWait(condition, snapshot, null), snapshot };
}

/** Returns a Session's screen, replayed from its Event Log. The caller has to dispose it. */
export async function replayScreen(
  directory: string,
  size: { cols: number; rows: number },
  options: ReplayOptions,
): Promise<Screen> {
  const { atSeq: toSeq = Number.MAX_SAFE_INTEGER, onDamage } = options;
  const checkpoint = await openCheckpoint(directory, toSeq);
  let screen = checkpoint?.screen ?? createScreen(size);
  const from = checkpoint === null ? {} : { startOffset: checkpoint.frame.eventsBytes };
  const range = { ...from, toSeq, ...(onDamage === undefined ? {} : { onDamage }) };
  for await (const event of readEvents(directory, range)) screen = render(screen, event);
  return screen;
}

/** Applies an event and returns the screen with which to continue: a `started` event begins a new screen. */
export function render(screen: Screen, { record, bytes }: LoggedEvent): Screen {
  if (record.type === "started") {
    screen[Symbol.dispose]();
    return createScreen(record);
  }
  if (record.type === "output") screen.write(bytes, record.seq);
  if (record.type === "resize") screen.resize(record.cols, record.rows, record.seq);
  if (record.type === "exit") screen.releaseFrame();
  return screen;
}
