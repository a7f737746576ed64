import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startGeminiServer } from "../../test/support/model-server/index.ts";
import { Answering } from "./answering.ts";
import type { Preparation, PreparedTool } from "./preparation.ts";
import { callsTools } from "./scenario.ts";

const KEY = "recorded-key";

/** Prepares Gemini CLI with the loopback model in place of the vendor. */
export async function prepareGemini({ scenario, home, onTraffic }: Preparation): Promise<PreparedTool> {
  const answering = new Answering(scenario.exchanges);
  const server = await startGeminiServer(
    KEY,
    (texts) => answering.turn((prompt) => texts.some((text) => text.trim() === prompt)),
    onTraffic,
  );
  const settings = {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    model: { name: "gemini-2.5-pro" },
    privacy: { usageStatisticsEnabled: false },
    security: {
      auth: { selectedType: "gemini-api-key" },
      folderTrust: { enabled: scenario.asksForTrust === true },
    },
  };
  await mkdir(join(home, ".gemini"));
  await writeFile(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
  const runsUnasked = callsTools(scenario) && scenario.asksForPermission !== true;
  return {
    args: runsUnasked ? ["--approval-mode", "yolo"] : [],
    env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: server.url },
    promptShown: /^ [>*] +Type your message/m,
    trustShown: /Do you trust/,
    trustSelected: /● 1\. Trust folder/,
    permissionShown: /Allow execution of/,
    startGuardMs: 1_500,
    endGuardMs: 1_000,
    refusals: server.refusals,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
