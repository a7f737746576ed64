import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { defaultRunFlags, readEnvironment, resolveSettings } from "../../src/config/index.ts";
import { createProvider } from "../../src/cli/wiring/wire-ports.ts";
import type { CoderWorkspaceProvider } from "../../src/workspaces/index.ts";
import {
  type CoderStandIn,
  created,
  HAS_TMUX,
  never,
  request,
  startCoderStandIn,
} from "../support/coder/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("tmux holds a Session if the Coder workspace has tmux, unless coder.multiplexer is none (T12)", async () => {
  await using standIn = await startCoderStandIn();
  await using directory = await temporaryDirectory();
  const commandWith = async (multiplexer: "auto" | "none", name: string): Promise<readonly string[]> => {
    const environment = { CODER_SESSION_TOKEN: standIn.token };
    const provider = wired(standIn, directory.path, environment, multiplexer);
    const workspace = await created(provider, request(name));
    return (await workspace.ready(never, () => undefined)).terminal({ rcFile: "/dev/null" }).command;
  };
  const [held, plain] = await Promise.all([
    commandWith("auto", "product-triage-1"),
    commandWith("none", "product-triage-2"),
  ]);
  expect(held.join(" ")).toMatch(HAS_TMUX ? /coder-terminal\.js/ : / -t /);
  expect(plain.slice(0, 2)).toEqual([standIn.binary, "ssh"]);
});

test("the Coder token can come from a file or a command, from which it is also renewed (coder failure 7)", async () => {
  await using standIn = await startCoderStandIn();
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "token");
  await writeFile(path, standIn.token);
  for (const variables of [
    { AFK_TRIAGE_CODER_TOKEN_FILE: path },
    { AFK_TRIAGE_CODER_TOKEN_COMMAND: `cat '${path}'` },
    { CODER_SESSION_TOKEN: "one-that-expired", AFK_TRIAGE_CODER_TOKEN_FILE: path },
  ])
    expect(await wired(standIn, directory.path, variables).preflight(never)).toMatchObject({ kind: "coder" });
});

function wired(
  standIn: CoderStandIn,
  directory: string,
  variables: Record<string, string>,
  multiplexer: "auto" | "none" = "auto",
): CoderWorkspaceProvider {
  const environment = readEnvironment({
    CODER_URL: standIn.url,
    AFK_TRIAGE_CODER_BIN: standIn.binary,
    GITHUB_REPOSITORY: "octo/product",
    ...variables,
  });
  return createProvider(
    resolveSettings(defaultRunFlags, environment, { coder: { multiplexer } }),
    environment,
    {
      home: { directory, workspacesDirectory: join(directory, "workspaces") },
      parent: "here/1/boot.1.1",
      clock: systemClock,
      ids: systemIds(systemClock),
    },
  );
}
