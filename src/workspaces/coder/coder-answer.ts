import type { z } from "zod";
import type { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";
import { errorSchema } from "./coder-schemas.ts";
import { printable, workspaceError } from "./workspace-error.ts";

/** The deployment's answer with any status except a redirect or 401. `body` is undefined if the answer was not JSON. */
export interface CoderAnswer {
  status: number;
  body: unknown;
  /** The body as it was received, for messages. */
  text: string;
  /** The time of the Date header, the only clock against which ages are measured; null if the header is missing. */
  serverTimeMs: number | null;
}

/**
 * Returns a description of an answer in one line: the server's message, its validations and detail, or what a proxy sent instead.
 */
export function explain({ status, body, text }: CoderAnswer): string {
  const known = errorSchema.safeParse(body);
  if (known.success) {
    const { message, detail, validations } = known.data;
    const fields = validations.map((validation) => `${validation.field}: ${validation.detail}`);
    return printable(`HTTP ${status}: ${[message, ...fields, detail ?? ""].filter(Boolean).join("; ")}`);
  }
  // The JSON is never quoted, because a Coder workspace's JSON contains the secrets of its template.
  if (body !== undefined) return `HTTP ${status}: JSON of another shape`;
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
  const seen = title === undefined ? text.slice(0, 200) : `an HTML page "${title}"`;
  return printable(`HTTP ${status}: ${seen || "an empty body"}`);
}

/** Returns the error for an answer that no API method expects. */
export function unexpectedAnswer(
  attempted: string,
  answer: CoderAnswer,
): OperationalError<WorkspaceErrorCode> {
  const message = `Tried to ${attempted}; the Coder deployment answered ${explain(answer)}`;
  if (answer.status === 403)
    return workspaceError({
      code: "CODER_FORBIDDEN",
      message,
      remedy: "Give the Coder user of CODER_SESSION_TOKEN this permission, or use the token of another user.",
    });
  return workspaceError({
    code: "CODER_UNEXPECTED_ANSWER",
    message,
    remedy:
      "Check that CODER_URL is the Coder deployment itself, reachable without a login page in front of it.",
  });
}

/** Returns the validated body of an answer with status 200 or 201. Throws for any other answer. */
export function expectBody<Schema extends z.ZodType>(
  schema: Schema,
  attempted: string,
  answer: CoderAnswer,
): z.infer<Schema> {
  if (answer.status !== 200 && answer.status !== 201) throw unexpectedAnswer(attempted, answer);
  const parsed = schema.safeParse(answer.body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? "" : ` (${issue.path.join(".") || "body"}: ${issue.message})`;
  throw workspaceError({
    code: "CODER_UNEXPECTED_ANSWER",
    message: `Tried to ${attempted}; the answer is not what Coder sends${where}: ${explain(answer)}`,
    remedy:
      "Check that CODER_URL is the Coder deployment itself, reachable without a login page in front of it.",
    cause: parsed.error,
  });
}
