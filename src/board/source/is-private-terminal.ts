/** The environment of every program inside a Session, whose output goes into a recording. */
const SESSION_MARKER = "AGENT_TTY_SESSION_ID";

/** Whether only the person at this terminal reads what is printed: CI keeps its log, and a Session its recording (S17). */
export function isPrivateTerminal(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  const isCi = !["", "0", "false"].includes(environment["CI"] ?? "");
  return isTerminal && !isCi && environment[SESSION_MARKER] === undefined;
}
