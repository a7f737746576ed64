import type { CoderWorkspaceProvider, ReadyWorkspace } from "../../../src/workspaces/index.ts";

type Exec = ReadyWorkspace["exec"];

/** Returns the provider with Coder workspaces that run command lines through `wrap`. */
export function providerWithExec(
  provider: CoderWorkspaceProvider,
  wrap: (exec: Exec, workspace: ReadyWorkspace) => Exec,
): CoderWorkspaceProvider {
  return {
    ...provider,
    create: async (request, signal) => {
      const created = await provider.create(request, signal);
      if (created.type !== "created") return created;
      const { workspace } = created;
      const ready: typeof workspace.ready = async (...call) => {
        const found = await workspace.ready(...call);
        return { ...found, exec: wrap((...given) => found.exec(...given), found) };
      };
      return { ...created, workspace: { ...workspace, ready } };
    },
  };
}
