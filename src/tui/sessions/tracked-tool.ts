import { basename } from "node:path";
import { isTrackedTool } from "../registry.ts";

/** Which coding TUI runs in a terminal, as far as that is told. */
export interface TrackedTool {
  /** The name of its program. */
  tool: string;
  observedVersion: string | null;
}

const MARK = /^tui ([a-z][a-z0-9-]{0,30})(?: (\d{1,9}\.\d{1,9}\.\d{1,9}))?$/;
const VERSION = /\d{1,9}\.\d{1,9}\.\d{1,9}/;

/** The label of a mark in the Event Log by which whoever starts a TUI says which one: its command line may not. */
export function toolMark({ tool, observedVersion }: TrackedTool): string {
  const version = VERSION.exec(observedVersion ?? "")?.[0];
  return version === undefined ? `tui ${tool}` : `tui ${tool} ${version}`;
}

/** null: the mark says something else. */
export function toolOfMark(label: string): TrackedTool | null {
  const match = MARK.exec(label);
  return match?.[1] === undefined ? null : { tool: match[1], observedVersion: match[2] ?? null };
}

/** The first word of a command that is a tool's program; null: none is. `npx claude@2.1.197` tells its version, too. */
export function toolOfCommand(command: readonly string[]): TrackedTool | null {
  const words = command.flatMap((word) => word.split(/\s+/)).slice(0, 64);
  for (const word of words) {
    const [name = "", version] = basename(word).split("@");
    if (isTrackedTool(name)) return { tool: name, observedVersion: VERSION.exec(version ?? "")?.[0] ?? null };
  }
  return null;
}

const BANNERS: Readonly<Record<string, RegExp>> = {
  claude: /Claude\s?Code\s?v(\d{1,9}\.\d{1,9}\.\d{1,9})/,
  codex: /OpenAI\s?Codex\s?\(v(\d{1,9}\.\d{1,9}\.\d{1,9})/,
};

/** The version a tool tells in its banner; null: it is not in this text. */
export function versionInBanner(tool: string, text: string): string | null {
  return Object.hasOwn(BANNERS, tool) ? (BANNERS[tool]?.exec(text)?.[1] ?? null) : null;
}
