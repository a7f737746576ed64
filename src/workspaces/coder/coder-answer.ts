import type { z } from "zod";
import type { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";
import { errorSchema } from "./coder-schemas.ts";
import { printable, workspaceError } from "./workspace-error.ts";

/** The deployment's answer: any status but a redirect or 401. `body` is undefined when it was not JSON. */
export interface CoderAnswer {
  status: number;
  body: unknown;
  /** The body as it came, for messages. */
  text: string;
  /** The Date header, the only clock that ages are measured against; null when it is missing. */
  serverTimeMs: number | null;
}

/** One line: the server's message, its validations and detail, or what a proxy sent instead. */
export function explain({ status, body, text }: CoderAnswer): string {
  const known = errorSchema.safeParse(body);
  if (known.success) {
    const { message, detail, validations } = known.data;
    const fields = validations.map((validation) => `${validation.field}: ${validation.detail}`);
    return printable(`HTTP ${status}: ${[message, ...fields, detail ?? ""].filter(Boolean).join("; ")}`);
  }
  // Never quoted: a Coder workspace's JSON carries the secrets of its template.
  if (body !== undefined) return `HTTP ${status}: JSON of another shape`;
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
  const seen = title === undefined ? text.slice(0, 200) : `an HTML page "${title}"`;
  return printable(`HTTP ${status}: ${seen || "an empty body"}`);
}

/** For an answer that no verb expected. */
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

/** The body of a 200 or 201, checked. */
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
