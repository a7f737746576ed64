/** The environment variable of every program inside a Session; the output of such a program goes into a recording. */
const SESSION_MARKER = "AGENT_TTY_SESSION_ID";

/** Returns whether only the person at this terminal can read what is printed: CI keeps a log, and a Session a recording (S17). */
export function isPrivateTerminal(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  const isCi = !["", "0", "false"].includes(environment["CI"] ?? "");
  return isTerminal && !isCi && environment[SESSION_MARKER] === undefined;
}
