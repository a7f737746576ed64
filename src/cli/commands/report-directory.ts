import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { makeDirectory, messageOf, OperationalError } from "agent-tty/kit";
import type { CliErrorCode } from "../exit-codes.ts";

/**
 * Creates a report: `write` fills an empty directory, which replaces `out` once it is complete. Only a directory whose files all
 * have one of `names` is replaced. Rejects with REPORT_DIRECTORY_TAKEN.
 */
export async function placeReport<Written>(
  out: string,
  names: ReadonlySet<string>,
  write: (directory: string) => Promise<Written>,
): Promise<{ directory: string; written: Written }> {
  const directory = resolve(out);
  const unfinishedDirectory = `${directory}.unfinished`;
  await refuseTaken(directory, names);
  await refuseTaken(unfinishedDirectory, names);
  const written = await write(await emptyDirectory(unfinishedDirectory));
  await rm(directory, { recursive: true, force: true });
  await rename(unfinishedDirectory, directory);
  return { directory, written };
}

/** Rejects with REPORT_DIRECTORY_TAKEN if the directory has any file that is not of an earlier report, complete or not. */
async function refuseTaken(directory: string, own: ReadonlySet<string>): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw taken(directory, messageOf(error));
  });
  const foreign = names.filter((name) => !own.has(name));
  if (foreign.length > 0) throw taken(directory, `it holds ${foreign.slice(0, 3).join(", ")}`);
}

async function emptyDirectory(directory: string): Promise<string> {
  try {
    await rm(directory, { recursive: true, force: true });
    await makeDirectory(dirname(directory));
    await mkdir(directory);
    return directory;
  } catch (error) {
    throw taken(directory, messageOf(error));
  }
}

function taken(directory: string, reason: string): OperationalError<CliErrorCode> {
  return new OperationalError<CliErrorCode>({
    code: "REPORT_DIRECTORY_TAKEN",
    message: `write a report to ${directory}: ${reason}`,
    remedy:
      "Choose a directory with --out that does not exist, is empty, or contains an earlier report of the same kind (with --sweep, or without).",
  });
}
