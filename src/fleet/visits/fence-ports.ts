import { type Clock, OperationalError, startDeadline } from "agent-tty/kit";
import type { BatchPorts } from "../../triage/index.ts";
import type { FleetErrorCode } from "../fleet-error.ts";
import type { HeldVisit, VisitQueue } from "../queue/index.ts";
import { tellParents } from "./tell-parents.ts";

/**
 * The longest wait for PostgreSQL's answer to the fence check. Without an answer, the comment is not published; a later visit
 * publishes it.
 */
const FENCE_PATIENCE_MS = 45_000;

export interface FenceOptions {
  visit: Pick<HeldVisit, "isOurs" | "number">;
  queue: Pick<VisitQueue, "parentState">;
  clock: Clock;
}

/**
 * Returns the ports of a batch for one visit: the lock counts as held, and a comment is published, only while the visit belongs
 * to this fleet worker. The fleet reports whether a parent on another machine is alive.
 */
export function fencePorts<Ports extends Pick<BatchPorts, "provider" | "writer">>(
  ports: Ports,
  { visit, queue, clock }: FenceOptions,
): Ports {
  const { provider, writer } = ports;
  return {
    ...ports,
    provider: {
      ...tellParents(provider, queue),
      leaseState: async (id, signal) => {
        const state = await provider.leaseState(id, signal);
        return state === "held" && !(await visit.isOurs(signal)) ? "lost" : state;
      },
    },
    writer: {
      ...writer,
      publishComment: async (ref, body, signal) => {
        using patience = startDeadline(
          clock,
          `asking whose visit ${visit.number} is`,
          FENCE_PATIENCE_MS,
          signal,
        );
        if (!(await visit.isOurs(patience.signal))) throw visitLost(`comment on ${ref.repo}#${ref.number}`);
        return await writer.publishComment(ref, body, signal);
      },
    },
  };
}

function visitLost(attempted: string): OperationalError<FleetErrorCode> {
  return new OperationalError({
    code: "FLEET_VISIT_LOST",
    message: `${attempted}: another fleet worker has taken over this visit`,
    remedy: "Nothing more to do: the other fleet worker continues from the checkpoint.",
  });
}
