import { OperationalError } from "agent-tty/kit";

export type AgentHandleErrorCode =
  | "AGENT_HANDLE_EXITED"
  | "AGENT_HANDLE_NOT_EXITED"
  | "AGENT_HANDLE_NOT_STOPPED";

export function alreadyExited(code: number): OperationalError<AgentHandleErrorCode> {
  return new OperationalError<AgentHandleErrorCode>({
    code: "AGENT_HANDLE_EXITED",
    message: `cannot stop the program: it has exited already, with ${code}`,
    remedy: "restart it, or read what it left behind",
    details: { exitCode: code },
  });
}

export function notExited(state: string): OperationalError<AgentHandleErrorCode> {
  return new OperationalError<AgentHandleErrorCode>({
    code: "AGENT_HANDLE_NOT_EXITED",
    message: `cannot restart the program: it is ${state}`,
    remedy: "stop it first, or wait for its end",
    details: { state },
  });
}

export function notStopped(pid: number): OperationalError<AgentHandleErrorCode> {
  return new OperationalError<AgentHandleErrorCode>({
    code: "AGENT_HANDLE_NOT_STOPPED",
    message: `process ${pid} did not end after SIGTERM and SIGKILL`,
    remedy: "destroy the Session with force, and look at the process with ps",
    details: { pid },
  });
}
