import type { Traffic } from "../../test/support/model-server/index.ts";
import { prepareClaude } from "./prepare-claude.ts";
import { prepareCodex } from "./prepare-codex.ts";
import type { Tool } from "../install-tool.ts";
import type { Scenario } from "./scenario.ts";

/** A CLI that talks to a scripted model and knows nothing else. */
export interface PreparedTool extends AsyncDisposable {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** On the screen as soon as the prompt is, and before that not. */
  promptShown: RegExp;
  trustShown: RegExp;
  permissionShown: RegExp;
  /** How long after its prompt is painted the tool may still not take one. */
  startGuardMs: number;
  /** What the server refused: empty when the recording is what its scenario says. */
  readonly refusals: readonly string[];
}

export interface Preparation {
  program: string;
  scenario: Scenario;
  /** Private to this recording. */
  home: string;
  checkout: string;
  onTraffic: (traffic: Traffic) => void;
}

export function prepareTool(tool: Tool, preparation: Preparation): Promise<PreparedTool> {
  return tool === "claude" ? prepareClaude(preparation) : prepareCodex(preparation);
}
