/** The first argument that makes this binary the host process of one Session instead of a command. */
export const HOST_ARGUMENT = "__host";
