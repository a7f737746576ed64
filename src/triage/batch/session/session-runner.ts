import type { Session, SessionExit, SessionStatus } from "agent-tty";
import { closedGate, type Liveness, type Runner, type SettlementEvidence } from "../../../runs/index.ts";
import type { ReadyWorkspace } from "../../../workspaces/index.ts";
import { isConnectionLoss } from "./connection-loss.ts";
import type { TriageAgentEnd, TriageAgentInput } from "../../triage-agent.ts";

/** How the Coder workspace is reached says what a Session's end proves. */
type Reached = Pick<ReadyWorkspace, "connection">;

const LOOK_TIMEOUT_MS = 5_000;

/** The input of a Triage Agent that takes none: nothing on its screen says what it does. */
const noInput: TriageAgentInput = {
  gate: closedGate,
  posture: () => Promise.resolve("unknown"),
  liveness: () => Promise.resolve("alive"),
};

export interface SessionRunner extends Disposable {
  runner: Runner;
  /** The Triage Agent is ready to be talked to. */
  offerInput: (input: TriageAgentInput) => void;
}

/** C4: the Session of one Triage Run as its owner sees it. Disposed when the Triage Agent has stopped and the Session is closed. */
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
          // Only a Session's end proves an end; what runs in a live one is for the Triage Agent to say.
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

/** A Session that lost its connection, or that we ourselves are taking down, proves nothing. */
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
 * C18: what the end of a Triage Agent proves about its prompt; null: nothing. A connection that was lost is no death of the
 * Triage Agent (T12): the prompt stays live until it is run once more or given up.
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
