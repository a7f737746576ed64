import { type Clock, messageOf } from "agent-tty/kit";
import { looksLikeSecurityReport } from "../../triage/index.ts";
import type { DeliveryInbox } from "./delivery-inbox.ts";
import { type DeliveryPayload, deliveryPayload } from "./delivery-payload.ts";
import { type DeliveryRules, planDelivery } from "./plan-delivery.ts";
import { isSigned } from "./signature.ts";

/** The possible answers to a delivery, each with its HTTP status. */
export const ANSWERS = {
  /** The delivery is stored, and carried out after the answer. */
  accepted: 202,
  /** The delivery was stored before: it is redelivered, or sent through a second hook. */
  repeated: 200,
  /** The delivery has no effect. */
  ignored: 200,
  malformed: 400,
  forged: 401,
  oversized: 413,
  unsupported: 415,
  /** The database is unreachable, or too many deliveries are pending; the poll finds the issue later. */
  unavailable: 503,
} as const;
export type Answer = keyof typeof ANSWERS;

export interface SignedRequest {
  /** The names are in lower case, as node:http returns them. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they were received: the signature covers them. */
  body: Uint8Array;
}

export interface Receiver {
  /** Checks, plans and stores one delivery. Never rejects. */
  receive(request: SignedRequest): Promise<Answer>;
  /** Counts an answer that was given without `receive`. */
  count(answer: Answer): Answer;
  /** Answers since the start. */
  counts(): Readonly<Record<Answer, number>>;
}

export interface ReceiverOptions {
  inbox: Pick<DeliveryInbox, "store">;
  /** At least one; during a rotation, the new and the old secret. */
  secrets: readonly string[];
  rules: DeliveryRules;
  clock: Clock;
  onFailure: (message: string) => void;
}

const GUID = /^[\w-]{1,100}$/;

/**
 * Returns the receiver that answers signed webhook requests and counts the answers. Deliveries with an effect are stored in the
 * inbox first.
 */
export function createReceiver({ inbox, secrets, rules, clock, onFailure }: ReceiverOptions): Receiver {
  // The first call compiles the patterns, which takes about 0.3 s; no delivery should wait for that.
  looksLikeSecurityReport({ title: "Patterns", body: "Compiled at the start.", labels: ["bug"] }, []);
  const counts = Object.fromEntries(Object.keys(ANSWERS).map((answer) => [answer, 0])) as Record<
    Answer,
    number
  >;
  const count = (answer: Answer): Answer => {
    counts[answer] += 1;
    return answer;
  };
  const answerOf = async ({ headers, body }: SignedRequest): Promise<Answer> => {
    const {
      "content-type": type,
      "x-hub-signature-256": signature,
      "x-github-delivery": guid,
      "x-github-event": event,
    } = headers;
    if (typeof type !== "string" || !/^application\/json\b/i.test(type)) return "unsupported";
    // Forged deliveries are only counted, not logged, because they could fill the log.
    if (typeof signature !== "string" || !isSigned(body, signature, secrets)) return "forged";
    if (typeof guid !== "string" || !GUID.test(guid) || typeof event !== "string") return "malformed";
    const payload = readPayload(body);
    if (payload === null) return "malformed";
    const plan = planDelivery({ event, payload, receivedAtMs: clock.nowMs() }, rules);
    if (plan.visits.length + plan.changes.length === 0) return "ignored";
    try {
      return (await inbox.store(guid, plan)) ? "accepted" : "repeated";
    } catch (error) {
      onFailure(`store delivery ${guid}: ${messageOf(error)}`);
      return "unavailable";
    }
  };
  return {
    receive: async (request) => count(await answerOf(request)),
    count,
    counts: () => ({ ...counts }),
  };
}

function readPayload(body: Uint8Array): DeliveryPayload | null {
  try {
    return deliveryPayload.parse(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    return null;
  }
}
