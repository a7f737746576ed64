import { messageOf, OperationalError } from "../kit/index.ts";

export type HomeErrorCode =
  | "HOME_REFUSED"
  | "SESSION_NOT_FOUND"
  | "SESSION_UNREADABLE"
  | "MANIFEST_NOT_WRITTEN";

/** Characters of a wrong id that an error repeats. */
const SHOWN_CHARACTERS = 100;

/** Returns the error SESSION_NOT_FOUND: the home has no such Session. */
export function notFound(sessionId: string, directory: string): OperationalError<HomeErrorCode> {
  return new OperationalError<HomeErrorCode>({
    code: "SESSION_NOT_FOUND",
    message: `no Session ${JSON.stringify(sessionId.slice(0, SHOWN_CHARACTERS))} in ${directory}`,
    remedy:
      "Run `agent-tty list --all` to see the Sessions of this home, or choose another home with --home.",
    details: { sessionId: sessionId.slice(0, SHOWN_CHARACTERS) },
  });
}

/** Returns the error MANIFEST_NOT_WRITTEN: the disk refused a manifest. */
export function notWritten(path: string, cause: unknown): OperationalError<HomeErrorCode> {
  return new OperationalError<HomeErrorCode>({
    code: "MANIFEST_NOT_WRITTEN",
    message: `cannot write ${path}: ${messageOf(cause)}`,
    remedy: "check that the home still exists, is writable and has space",
    details: { path },
    cause,
  });
}

/** Returns the error SESSION_UNREADABLE: a manifest cannot be read or parsed, or an Event Log cannot be read. */
export function unreadable(path: string, cause: unknown): OperationalError<HomeErrorCode> {
  return new OperationalError<HomeErrorCode>({
    code: "SESSION_UNREADABLE",
    message: `cannot read ${path}: ${messageOf(cause)}`,
    remedy: "restore it, or remove the directory; the files beside it may be whole",
    details: { path },
    cause,
  });
}
