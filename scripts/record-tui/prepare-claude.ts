import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "../../test/support/model-server/index.ts";
import { Answering } from "./answering.ts";
import type { Preparation, PreparedTool } from "./preparation.ts";

const KEY = "sk-ant-api03-recorded-0123456789abcdef0123456789abcdef";
/** Claude Code identifies an approved key by this number of its last characters. */
const KEY_TAIL = 20;
/** Few retries, so that a failure is final within seconds. */
const MAX_RETRIES = "3";

/** Prepares Claude Code as after its onboarding, with the loopback model in place of the vendor. */
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
    // Newer versions answer permission prompts themselves unless this option is set.
    args: scenario.asksForPermission === true ? ["--permission-mode", "default"] : [],
    env: {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: MAX_RETRIES,
      DISABLE_AUTOUPDATER: "1",
    },
    // The pattern matches the input box; the text below it appears later and differs when the user has a custom status line.
    promptShown: /^─{8,}.*\n[❯>](?:[\u00a0 ].*)?\n/mu,
    trustShown: /trust this folder/,
    trustSelected: /❯ (?:\d\. )?Yes, I trust this folder/,
    permissionShown: /Do you want to proceed/,
    startGuardMs: 400,
    refusals: server.refusals,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
