import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "../../test/support/model-server/index.ts";
import { Answering } from "./answering.ts";
import type { Preparation, PreparedTool } from "./preparation.ts";

const KEY = "sk-ant-api03-recorded-0123456789abcdef0123456789abcdef";
/** By how many of its last characters Claude Code remembers that a key was approved. */
const KEY_TAIL = 20;
/** So that a failure is final within seconds. */
const MAX_RETRIES = "3";

/** Claude Code past its onboarding, with the loopback model as the vendor. */
export async function prepareClaude({
  scenario,
  home,
  checkout,
  onTraffic,
}: Preparation): Promise<PreparedTool> {
  const answering = new Answering(scenario.exchanges);
  const server = await startModelServer(
    KEY,
    ({ userText }) => answering.turn((prompt) => `\n${userText}\n`.includes(`\n${prompt}\n`)),
    onTraffic,
  );
  const settings = {
    ...scenario.preferences,
    hasCompletedOnboarding: true,
    theme: scenario.theme ?? "dark",
    customApiKeyResponses: { approved: [KEY.slice(-KEY_TAIL)], rejected: [] },
    ...(scenario.asksForTrust === true ? {} : { projects: { [checkout]: { hasTrustDialogAccepted: true } } }),
  };
  await writeFile(join(home, ".claude.json"), JSON.stringify(settings));
  await mkdir(join(home, ".claude"));
  const allowed = scenario.asksForPermission === true ? [] : ["Bash"];
  await writeFile(
    join(home, ".claude", "settings.json"),
    JSON.stringify({ ...scenario.settings, permissions: { allow: allowed } }),
  );
  return {
    // Newer versions answer permission prompts themselves unless they are told not to.
    args: scenario.asksForPermission === true ? ["--permission-mode", "default"] : [],
    env: {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: MAX_RETRIES,
      DISABLE_AUTOUPDATER: "1",
    },
    // The box: what stands below it comes later, and is another thing with a status line of one's own.
    promptShown: /^─{8,}.*\n[❯>](?:[\u00a0 ].*)?\n/mu,
    trustShown: /trust this folder/,
    trustSelected: /❯ (?:\d\. )?Yes, I trust this folder/,
    permissionShown: /Do you want to proceed/,
    startGuardMs: 400,
    refusals: server.refusals,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
