import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type Ids, makeDirectory, messageOf, OperationalError, writeFileAtomic } from "agent-tty/kit";
import type { BoardErrorCode } from "./board-error.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[0-9a-f]{64}$/;

/**
 * Returns the board's token (S17). It is created once and is private to the user, so that the board's URL survives a restart;
 * `isNew` replaces it. Rejects when the file cannot be read or written.
 */
export async function boardToken(
  path: string,
  { ids, isNew }: { ids: Ids; isNew: boolean },
): Promise<string> {
  await ensureDirectory(dirname(path));
  const kept = isNew ? null : await readToken(path);
  if (kept !== null) return kept;
  const token = ids.hex(TOKEN_BYTES);
  try {
    // The write is atomic and creates a new inode, so a link at this path is replaced, not followed.
    await writeFileAtomic(path, `${token}\n`, ids.hex(4));
  } catch (error) {
    throw unwritable(path, error);
  }
  return token;
}

async function ensureDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, 0o700);
  } catch (error) {
    throw unwritable(directory, error);
  }
  const stats = await lstat(directory);
  refuseUnsafe(directory, stats, stats.isDirectory());
}

/** Returns the token; null when the file is missing or truncated. */
async function readToken(path: string): Promise<string | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const stats = await file.stat();
      refuseUnsafe(path, stats, stats.isFile());
      const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
      const text = buffer.toString("utf8", 0, bytesRead).trim();
      return TOKEN.test(text) ? text : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return null;
    if (code === "ELOOP") throw unsafe(path, "is a symbolic link");
    throw error instanceof OperationalError ? error : unwritable(path, error);
  }
}

function refuseUnsafe(path: string, stats: { uid: number; mode: number }, isRightKind: boolean): void {
  if (!isRightKind) throw unsafe(path, "has the wrong file type");
  const user = process.getuid?.();
  if (user === undefined) return;
  if (stats.uid !== user) throw unsafe(path, `belongs to user ${stats.uid}, not to ${user}`);
  if ((stats.mode & 0o077) !== 0)
    throw unsafe(path, `is open to other users (mode ${(stats.mode & 0o777).toString(8)})`);
}

function unsafe(path: string, seen: string): OperationalError<BoardErrorCode> {
  return new OperationalError({
    code: "BOARD_TOKEN_UNSAFE",
    message: `read the board's token: ${path} ${seen}`,
    remedy: `Make ${path} private to your user (chmod 700 the home, 600 the token), delete it, or choose another home with --home.`,
    details: { path },
  });
}

function unwritable(path: string, cause: unknown): OperationalError<BoardErrorCode> {
  return new OperationalError({
    code: "BOARD_TOKEN_UNWRITABLE",
    message: `write the board's token to ${path}: ${messageOf(cause)}`,
    remedy: "Choose a writable home with --home or AFK_TRIAGE_HOME.",
    details: { path },
    cause,
  });
}
