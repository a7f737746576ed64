import { messageOf, OperationalError } from "agent-tty/kit";
import type { FailureDocument } from "../api/index.ts";

/** The codes of failures that keep a board from starting. */
export type BoardErrorCode =
  | "BOARD_ADDRESS_REFUSED"
  | "BOARD_PORT_TAKEN"
  | "BOARD_TOKEN_UNSAFE"
  | "BOARD_TOKEN_UNWRITABLE";

/** The reasons for refusing a request, with their HTTP status. */
const refusals = {
  REQUEST_INVALID: 400,
  TOKEN_MISSING: 401,
  TOKEN_WRONG: 401,
  HOST_REFUSED: 403,
  ORIGIN_REFUSED: 403,
  CONTROL_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_LARGE: 413,
  BODY_NOT_JSON: 415,
  WEBSOCKET_NEEDED: 426,
  TOO_MANY_READERS: 503,
} as const;
export type RefusalCode = keyof typeof refusals;

/** An error that refuses a request, with its remedy. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly remedy: string;
  /** Headers of the answer, in addition to those of every refusal. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: RefusalCode,
    message: string,
    remedy: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.headers = headers;
  }
}

/** Failures of the home or of the parent that are answered with their own status, because the request was correct. */
const sourceFailures: Readonly<Record<string, 404 | 409 | 503>> = {
  SESSION_NOT_FOUND: 404,
  PARENT_GONE: 409,
  TUI_SUBMIT_LOST: 409,
  STORE_UNWRITABLE: 503,
};

export interface Answer {
  status: number;
  headers: Record<string, string>;
  failure: FailureDocument;
}

/** Returns the answer to a failure, always as a document of the same form. An unexpected failure reveals no internals. */
export function answerOf(error: unknown, redact: (text: string) => string): Answer {
  const { status, code, message, remedy } = factsOf(error, redact);
  return {
    status,
    headers: { ...headersOf(status, code), ...(error instanceof Refusal ? error.headers : {}) },
    failure: {
      type: `urn:afk-triage:problem:${code}`,
      title: titleOf(code),
      status,
      detail: message,
      code,
      remedy,
      error: { code, message, remedy },
    },
  };
}

interface FailureFacts {
  status: number;
  code: string;
  message: string;
  remedy: string;
}

function factsOf(error: unknown, redact: (text: string) => string): FailureFacts {
  if (error instanceof Refusal) {
    const { code, message, remedy } = error;
    return { status: refusals[code], code, message, remedy };
  }
  if (error instanceof OperationalError) {
    const { code, remedy } = error;
    return { status: sourceFailures[code] ?? 500, code, message: redact(messageOf(error)), remedy };
  }
  return {
    status: 500,
    code: "INTERNAL_ERROR",
    message: "the board could not answer a request",
    remedy: "This is a defect of afk-triage: see what `afk-triage serve` wrote to stderr, and report it.",
  };
}

/**
 * The pause, in seconds, before another attempt: a reader's place soon becomes free again, and a store is locked only for a moment.
 */
const RETRY_AFTER_S = 5;

function headersOf(status: number, code: string): Record<string, string> {
  const type = { "Content-Type": "application/problem+json" };
  if (status === 503) return { ...type, "Retry-After": String(RETRY_AFTER_S) };
  if (status !== 401) return type;
  const challenge = 'Bearer realm="afk-triage board"';
  return {
    ...type,
    "WWW-Authenticate": code === "TOKEN_WRONG" ? `${challenge}, error="invalid_token"` : challenge,
  };
}

/** Returns the title of a code: TOKEN_MISSING → Token missing. */
function titleOf(code: string): string {
  const words = code.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
