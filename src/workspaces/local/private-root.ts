import { lstat, mkdir } from "node:fs/promises";
import { OperationalError } from "agent-tty/kit";
import type { WorkspaceErrorCode } from "../port.ts";

/** Creates the root if it is missing. Rejects if others could access it, because it is private to its user (S17). */
export async function openPrivateRoot(root: string): Promise<void> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(root, `it cannot be made (${(error as NodeJS.ErrnoException).code})`, error);
  }
  const facts = await lstat(root);
  if (facts.isSymbolicLink()) throw unusable(root, "it is a symbolic link");
  if (process.getuid !== undefined && facts.uid !== process.getuid())
    throw unusable(root, `it belongs to user ${facts.uid}`);
  if ((facts.mode & 0o022) !== 0) throw unusable(root, "other users may write to it");
}

function unusable(root: string, seen: string, cause?: unknown): OperationalError<WorkspaceErrorCode> {
  return new OperationalError<WorkspaceErrorCode>({
    code: "LOCAL_PROVIDER_UNAVAILABLE",
    message: `cannot keep local Coder workspaces in ${root}: ${seen}`,
    remedy: "Choose a home directory of your own (--home) that only you can write to, with mode 0700.",
    cause,
  });
}
