/** The first argument that makes this binary run as the host process of one Session instead of as a command. */
export const HOST_ARGUMENT = "__host";

/** Returns the arguments for node that start this binary again as a host process. */
export function hostArguments(): string[] {
  return [...process.execArgv, process.argv[1] ?? "", HOST_ARGUMENT];
}
