import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A token that other processes of this user can read at `path` for as long as this process lives. */
export interface SharedToken {
  path: string;
  /** Replaces the token. A reader removes the line ends that follow it. */
  replace(token: string): void;
}

/** Shares a token in a file without a name, so that nothing of it is left on the disk after any end of this process. */
export function shareToken(first: string): SharedToken {
  const directory = mkdtempSync(join(tmpdir(), "afk-triage-token-"));
  try {
    const descriptor = openSync(join(directory, "token"), "wx+", 0o600);
    let longest = 0;
    const replace = (token: string): void => {
      longest = Math.max(longest, token.length);
      // One write at the beginning, so that no reader finds the file empty.
      writeSync(descriptor, token.padEnd(longest, "\n"), 0);
    };
    try {
      replace(first);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return { path: `/proc/${process.pid}/fd/${descriptor}`, replace };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
