import { RequestError } from "@hono/node-server";
import { HTTPException } from "hono/http-exception";
import { type Answer, answerOf, Refusal } from "./board-error.ts";
import { withHeaders } from "./security-headers.ts";

export interface FailurePorts {
  redact: (text: string) => string;
  onFailure: (error: unknown) => void;
}

/**
 * Returns the response to any failure: a page for a person whose browser opens an address, a problem document for programs.
 * Failures that are not the request's fault are also reported to the board's operator. `accept` is the header of that name.
 */
export function failureResponse(
  error: unknown,
  { redact, onFailure }: FailurePorts,
  accept: string | undefined = "",
): Response {
  const answer = answerOf(asRefusal(error), redact);
  const { status, headers, failure } = answer;
  if (status === 500) onFailure(error);
  return withHeaders(
    accept.includes("text/html") ? pageOf(answer) : Response.json(failure, { status, headers }),
  );
}

function pageOf({ status, headers, failure: { title, detail, remedy } }: Answer): Response {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${inElement(title)} · afk-triage</title>
<h1>${inElement(title)}</h1>
<p>${inElement(detail)}</p>
<p>${inElement(remedy)}</p>
</html>
`;
  return new Response(page, { status, headers: { ...headers, "Content-Type": "text/html; charset=utf-8" } });
}

/** Returns a text that is escaped for the content of an element. */
function inElement(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/**
 * Returns a refusal for an error of the HTTP library, such as malformed JSON or an unreadable Host; returns any other error
 * unchanged.
 */
function asRefusal(error: unknown): unknown {
  const isTheirs = error instanceof RequestError || (error instanceof HTTPException && error.status < 500);
  if (!isTheirs) return error;
  return new Refusal("REQUEST_INVALID", error.message, "See /api/openapi.json for the expected request.");
}
