import { RequestError } from "@hono/node-server";
import { HTTPException } from "hono/http-exception";
import { answerOf, Refusal } from "./board-error.ts";
import { withHeaders } from "./security-headers.ts";

export interface FailurePorts {
  redact: (text: string) => string;
  onFailure: (error: unknown) => void;
}

/** Whatever went wrong, as the one document; only what is nobody's wrong request is told to whoever runs the board. */
export function failureResponse(error: unknown, { redact, onFailure }: FailurePorts): Response {
  const { status, failure } = answerOf(asRefusal(error), redact);
  if (status === 500) onFailure(error);
  return withHeaders(Response.json(failure, { status }));
}

/** What the HTTP library refuses by itself: JSON that is none, a Host that cannot be read. */
function asRefusal(error: unknown): unknown {
  const isTheirs = error instanceof RequestError || (error instanceof HTTPException && error.status < 500);
  if (!isTheirs) return error;
  return new Refusal("REQUEST_INVALID", error.message, "See /api/openapi.json for what is expected.");
}
