import { type Home, PlainText, readEvents } from "agent-tty";
import { type TrackedTool, toolOfCommand, toolOfMark, versionInBanner } from "./tracked-tool.ts";

/** The banner is at the beginning, so only this much text is searched. */
const BANNER_SEARCH_CHARACTERS = 1024 * 1024;

export interface ToolWish {
  /** null: recognise the tool. */
  tool: string | null;
  observedVersion: string | null;
}

/**
 * Resolves with the TUI of a Session: the requested tool, else the one that a mark in its Event Log names, else the one that its
 * command names. The version may also come from the tool's banner. Resolves with null when nothing names a tool. Rejects as
 * `replaySession` does.
 */
export async function recogniseTool(
  home: Home,
  sessionId: string,
  wish: ToolWish,
): Promise<TrackedTool | null> {
  const { command } = await home.readManifest(sessionId);
  const log = await readLog(home.sessionDirectory(sessionId));
  const told = log.marked ?? toolOfCommand(command);
  const tool = wish.tool ?? told?.tool ?? null;
  if (tool === null) return null;
  const ofMark = told?.tool === tool ? told.observedVersion : null;
  return { tool, observedVersion: wish.observedVersion ?? ofMark ?? versionInBanner(tool, log.text) };
}

interface LogReading {
  marked: TrackedTool | null;
  text: string;
}

/** Returns the marks of a log and the text in which the banner is searched. The rest of a long log is not read. */
async function readLog(directory: string): Promise<LogReading> {
  const plain = new PlainText();
  const reading: LogReading = { marked: null, text: "" };
  for await (const { record } of readEvents(directory, { only: "mark" }))
    if (record.type === "mark") reading.marked = toolOfMark(record.label) ?? reading.marked;
  for await (const { bytes } of readEvents(directory, { only: "output" })) {
    reading.text += plain.push(bytes).toString("utf8");
    if (reading.text.length >= BANNER_SEARCH_CHARACTERS) break;
  }
  return reading;
}
