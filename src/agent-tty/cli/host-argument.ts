/** The first argument that makes this binary the host process of one Session instead of a command. */
export const HOST_ARGUMENT = "__host";

/** The arguments for node that start this binary again as a host process. */
export function hostArguments(): string[] {
  return [...process.execArgv, process.argv[1] ?? "", HOST_ARGUMENT];
}
