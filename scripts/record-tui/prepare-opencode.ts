import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AssistantTurn, startModelServer } from "../../test/support/model-server/index.ts";
import { Answering } from "./answering.ts";
import type { Preparation, PreparedTool } from "./preparation.ts";

const KEY = "recorded-key";

/** Prepares opencode with the loopback model as its only provider, which implements Anthropic's Messages API. */
export async function prepareOpencode({ scenario, home, onTraffic }: Preparation): Promise<PreparedTool> {
  const answering = new Answering(scenario.exchanges);
  const server = await startModelServer(
    KEY,
    ({ userText }) => withShell(answering.turn((prompt) => userText.includes(prompt))),
    onTraffic,
  );
  const config = {
    autoupdate: false,
    share: "disabled",
    model: "loop/loop-1",
    small_model: "loop/loop-1",
    permission: { bash: scenario.asksForPermission === true ? "ask" : "allow" },
    provider: {
      loop: {
        npm: "@ai-sdk/anthropic",
        name: "Loop",
        options: { baseURL: `${server.url}/v1`, apiKey: KEY },
        models: { "loop-1": { name: "Loop 1" } },
      },
    },
  };
  const directory = join(home, ".config", "opencode");
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "opencode.json"), JSON.stringify(config));
  return {
    args: [],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    },
    promptShown: /Ask anything/,
    // opencode does not ask for trust, so this pattern matches nothing.
    trustShown: /(?!)/,
    trustSelected: /(?!)/,
    permissionShown: /Permission required/,
    interruptKeys: ["Escape", "Escape"],
    startGuardMs: 1_500,
    // The footer changes some time after the answer has arrived.
    endGuardMs: 3_500,
    refusals: server.refusals,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Renames the shell tool in the turn, because opencode calls it `bash`. */
function withShell(turn: AssistantTurn): AssistantTurn {
  const renamed = <T extends { type: string }>(part: T): T =>
    part.type === "tool_use" ? { ...part, name: "bash" } : part;
  if (turn.type === "stream") return { ...turn, parts: turn.parts.map(renamed) };
  if (turn.type !== "message") return turn;
  const [first, ...rest] = turn.blocks;
  return { ...turn, blocks: [renamed(first), ...rest.map(renamed)] };
}
