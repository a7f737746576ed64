import { RequestError } from "@hono/node-server";
import { HTTPException } from "hono/http-exception";
import { answerOf, Refusal } from "./board-error.ts";
import { withHeaders } from "./security-headers.ts";

export interface FailurePorts {
  redact: (text: string) => string;
  onFailure: (error: unknown) => void;
}

/**
 * Answers any failure with one document. Failures that are not the request's fault are also reported to the board's
 * operator.
 */
export function failureResponse(error: unknown, { redact, onFailure }: FailurePorts): Response {
  const { status, headers, failure } = answerOf(asRefusal(error), redact);
  if (status === 500) onFailure(error);
  return withHeaders(Response.json(failure, { status, headers }));
}

/** Converts refusals of the HTTP library: malformed JSON, an unreadable Host. */
function asRefusal(error: unknown): unknown {
  const isTheirs = error instanceof RequestError || (error instanceof HTTPException && error.status < 500);
  if (!isTheirs) return error;
  return new Refusal("REQUEST_INVALID", error.message, "See /api/openapi.json for the expected request.");
}
