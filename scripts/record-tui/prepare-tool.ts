import type { Preparation, PreparedTool } from "./preparation.ts";
import { prepareClaude } from "./prepare-claude.ts";
import { prepareCodex } from "./prepare-codex.ts";
import { prepareGemini } from "./prepare-gemini.ts";
import { prepareOpencode } from "./prepare-opencode.ts";
import type { Tool } from "../install-tool.ts";

const PREPARATIONS: Readonly<Record<Tool, (preparation: Preparation) => Promise<PreparedTool>>> = {
  claude: prepareClaude,
  codex: prepareCodex,
  gemini: prepareGemini,
  opencode: prepareOpencode,
};

export function prepareTool(tool: Tool, preparation: Preparation): Promise<PreparedTool> {
  return PREPARATIONS[tool](preparation);
}
