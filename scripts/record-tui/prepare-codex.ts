import { execa } from "execa";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startResponsesServer } from "../../test/support/model-server/index.ts";
import { Answering } from "./answering.ts";
import type { Preparation, PreparedTool } from "./preparation.ts";
import type { Scenario } from "./scenario.ts";

const KEY = "recorded-key";

/** Prepares Codex with the loopback model as its only provider. */
export async function prepareCodex({
  program,
  scenario,
  home,
  checkout,
  onTraffic,
}: Preparation): Promise<PreparedTool> {
  const answering = new Answering(scenario.exchanges);
  const server = await startResponsesServer(
    KEY,
    {
      isMain: (texts) => texts.some((text) => answering.isPrompt(text)),
      asksFirst: scenario.asksForPermission === true,
      turn: (texts) => answering.turn((prompt) => texts.some((text) => text.trim() === prompt)),
    },
    onTraffic,
  );
  const { stdout: help } = await execa(program, ["--help"]);
  await mkdir(join(home, ".codex"));
  const trust =
    scenario.asksForTrust === true ? "" : `[projects.${JSON.stringify(checkout)}]\ntrust_level = "trusted"\n`;
  await writeFile(join(home, ".codex", "config.toml"), `${configOf(server.url, scenario)}${trust}`);
  return {
    // Newer versions run a Turn in a background process by default; older versions have neither the process nor this flag.
    args: help.includes("--no-daemon") ? ["--no-daemon"] : [],
    env: { RECORDED_API_KEY: KEY },
    promptShown: /^› (?!\d)/m,
    trustShown: /Trust and continue|trust the contents|allow Codex to work/,
    trustSelected: /› 1\. /,
    permissionShown: /Would you like to run/,
    // Codex paints its prompt long before it accepts input.
    startGuardMs: 3_000,
    refusals: server.refusals,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function configOf(url: string, scenario: Scenario): string {
  return `model = "gpt-6.1-sol"
model_provider = "recorded"
${permissionsOf(scenario)}check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.recorded]
name = "recorded"
base_url = "${url}"
wire_api = "responses"
env_key = "RECORDED_API_KEY"
request_max_retries = 2
stream_max_retries = 2

`;
}

/** Returns the permission settings. With any of them set, Codex trusts every folder. */
function permissionsOf({ asksForTrust, asksForPermission }: Scenario): string {
  if (asksForTrust === true) return "";
  const sandbox = asksForPermission === true ? "read-only" : "danger-full-access";
  return `approval_policy = "on-request"\nsandbox_mode = "${sandbox}"\n`;
}
