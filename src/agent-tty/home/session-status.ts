/** A2: a Session has exactly one. */
export type SessionStatus = "running" | "exiting" | "exited" | "failed" | "destroying" | "destroyed";

/** How the child ended. A child killed by a signal has no exit code of its own. */
export type SessionExit = { type: "code"; code: number } | { type: "signal"; signal: string };
