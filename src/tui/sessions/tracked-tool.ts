import { basename } from "node:path";
import { isTrackedTool } from "../registry.ts";

/** The coding TUI of a terminal, as far as it is known. */
export interface TrackedTool {
  /** The name of its program. */
  tool: string;
  observedVersion: string | null;
}

const MARK = /^tui ([a-z][a-z0-9-]{0,30})(?: (\d{1,9}\.\d{1,9}\.\d{1,9}))?$/;
const VERSION = /\d{1,9}\.\d{1,9}\.\d{1,9}/;

/** Returns the label of the Event Log mark that names the TUI, for a starter whose command line does not name it. */
export function toolMark({ tool, observedVersion }: TrackedTool): string {
  const version = VERSION.exec(observedVersion ?? "")?.[0];
  return version === undefined ? `tui ${tool}` : `tui ${tool} ${version}`;
}

/** Returns the tool that a mark's label names, or null for any other mark. */
export function toolOfMark(label: string): TrackedTool | null {
  const match = MARK.exec(label);
  return match?.[1] === undefined ? null : { tool: match[1], observedVersion: match[2] ?? null };
}

/**
 * Returns the first word of a command that is a tool's program, or null if there is none. `npx claude@2.1.197` also names the
 * version.
 */
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

/** Returns the version in the tool's banner, or null when the text does not contain it. */
export function versionInBanner(tool: string, text: string): string | null {
  return Object.hasOwn(BANNERS, tool) ? (BANNERS[tool]?.exec(text)?.[1] ?? null) : null;
}
