import { OperationalError } from "../kit/index.ts";

export type ProtocolErrorCode =
  /** The socket of a Session with a live host does not answer. */
  | "HOST_UNREACHABLE"
  | "HOST_TIMEOUT"
  /** The other side uses another version, or sends something invalid. */
  | "PROTOCOL_VIOLATION"
  | "HOST_NOT_STARTED";

/** Returns the error PROTOCOL_VIOLATION: the other side sent something that the protocol does not allow. */
export function protocolViolation(message: string): OperationalError<ProtocolErrorCode> {
  return new OperationalError<ProtocolErrorCode>({
    code: "PROTOCOL_VIOLATION",
    message,
    remedy: "use the agent-tty that created the Session, or create a new Session with this one",
  });
}

/** Returns the error HOST_UNREACHABLE: no host answers for the Session. `seen`: what was seen instead of an answer. */
export function hostUnreachable(
  sessionId: string,
  seen: string,
  cause?: unknown,
): OperationalError<ProtocolErrorCode> {
  return new OperationalError<ProtocolErrorCode>({
    code: "HOST_UNREACHABLE",
    message: `cannot reach the host of Session ${sessionId}: ${seen}`,
    remedy:
      "If another program owns the Session, it accepts commands only while that program serves it. snapshot and inspect still work.",
    details: { sessionId },
    cause,
  });
}
