import type { Session, SessionExit, SessionStatus } from "agent-tty";
import { closedGate, type Liveness, type Runner, type SettlementEvidence } from "../../../runs/index.ts";
import type { ReadyWorkspace } from "../../../workspaces/index.ts";
import { isConnectionLoss } from "./connection-loss.ts";
import type { TriageAgentEnd, TriageAgentInput } from "../../triage-agent.ts";

/** How the Coder workspace is reached, which determines what a Session's end proves. */
type Reached = Pick<ReadyWorkspace, "connection">;

const LOOK_TIMEOUT_MS = 5_000;

/** The input of a Triage Agent that accepts none, and whose screen does not show what it does. */
const noInput: TriageAgentInput = {
  gate: closedGate,
  posture: () => Promise.resolve("unknown"),
  liveness: () => Promise.resolve("alive"),
};

export interface SessionRunner extends Disposable {
  runner: Runner;
  /** Call it when the Triage Agent is ready for input. */
  offerInput: (input: TriageAgentInput) => void;
}

/**
 * Returns the runner through which the owner sees the Session of one Triage Run (C4). It must be disposed when the Triage Agent
 * has stopped and the Session is closed.
 */
export function sessionRunner(session: Session, workspace: Reached): SessionRunner {
  let input = noInput;
  let stop = (): void => undefined;
  let exit: SessionExit | null = null;
  void session.exited.then((seen) => (exit = seen));
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  return {
    runner: {
      probes: {
        liveness: async (signal) => {
          const ofSession = livenessOf(session.status(), exit, workspace);
          // Only a Session's end proves an end. In a live Session, the Triage Agent's own probe decides.
          return ofSession === "alive" ? input.liveness(signal) : ofSession;
        },
        posture: (signal) => input.posture(signal),
      },
      screen: {
        mark: () => session.lastSeq(),
        look: async () => {
          const { visibleLines } = await session.snapshot();
          const posture = await input
            .posture(AbortSignal.timeout(LOOK_TIMEOUT_MS))
            .catch(() => "unknown" as const);
          return { text: visibleLines.join("\n").trim(), posture };
        },
      },
      gate: {
        send: (text, signal) => input.gate.send(text, signal),
        answer: (answer, signal) => input.gate.answer(answer, signal),
      },
      stopped: () => stopped,
    },
    offerInput: (offered) => void (input = offered),
    [Symbol.dispose]: () => {
      input = noInput;
      stop();
    },
  };
}

/**
 * Returns what the Session's status proves about the Triage Agent. A Session that lost its connection, or that this process
 * itself is closing, proves nothing.
 */
function livenessOf(status: SessionStatus, exit: SessionExit | null, workspace: Reached): Liveness {
  switch (status) {
    case "running":
      return "alive";
    case "exited":
    case "failed":
      return exit === null || isConnectionLoss(workspace, exit) ? "unknown" : "dead";
    case "exiting":
    case "destroying":
    case "destroyed":
      return "unknown";
  }
}

/**
 * Returns what the end of a Triage Agent proves about its prompt (C18). null: it proves nothing. A lost connection does not prove
 * that the Triage Agent is dead (T12), so the prompt stays live until the Triage Agent is run once more or given up.
 */
export function evidenceOf(end: TriageAgentEnd, workspace: Reached): SettlementEvidence | null {
  switch (end.type) {
    case "finished":
    case "blocked":
      return "turn-outcome";
    case "timed-out":
    case "over-budget":
      return "run-deadline";
    case "interrupted":
      return isConnectionLoss(workspace, end.exit) ? null : "proven-death";
    default:
      return end satisfies never;
  }
}
