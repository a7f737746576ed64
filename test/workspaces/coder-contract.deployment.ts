import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import {
  createCoderProvider,
  type CoderWorkspaceProvider,
  parentIdentity,
} from "../../src/workspaces/index.ts";
import { terminalRelay } from "../support/coder/terminal-relay.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { providerContract } from "./provider-contract.ts";

const ids = systemIds(systemClock);

/** Runs the contract on the deployment that the environment names (`npm run test:coder`). */
for (const [what, isHeld] of [
  ["plain terminals", false],
  ["terminals held by tmux, where the template has it", true],
] as const)
  providerContract(`the Coder deployment at ${process.env["CODER_URL"]}, ${what},`, async () => {
    const directory = await temporaryDirectory();
    const connect = (): CoderWorkspaceProvider => deployment(join(directory.path, "coder-cli"), isHeld);
    const provider = connect();
    const namePrefix = `afk-contract-${ids.hex(4)}`;
    return {
      provider,
      secondParent: connect(),
      namePrefix,
      parent: await parentIdentity(),
      processes: "remote",
      [Symbol.asyncDispose]: async () => {
        // A test that failed half-way must not leave anything on the deployment.
        const never = new AbortController().signal;
        for (const left of await provider.list(namePrefix, never)) await provider.destroy(left, never);
        await directory[Symbol.asyncDispose]();
      },
    };
  });

function deployment(cliDirectory: string, isHeld: boolean): CoderWorkspaceProvider {
  return createCoderProvider({
    url: process.env["CODER_URL"] ?? "",
    token: process.env["CODER_SESSION_TOKEN"] ?? "",
    binary: process.env["AFK_TRIAGE_CODER_BIN"] ?? "coder",
    cliDirectory,
    template: process.env["AFK_TEST_CODER_TEMPLATE"] ?? "",
    preset: null,
    parameters: {},
    organization: null,
    runDeadlineMs: 20 * 60_000,
    clock: systemClock,
    ids,
    ...(isHeld ? { terminalRelay: terminalRelay() } : {}),
  });
}
