import { readFile, stat } from "node:fs/promises";
import { messageOf } from "../kit/index.ts";
import { usageError } from "./usage.ts";

const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * Returns the text from the argument or the file. Throws USAGE unless exactly one of the two is given, or if the file cannot be
 * read.
 */
export async function inputText(
  what: string,
  text: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (text !== undefined && file !== undefined)
    throw usageError(`${what} is given twice, as an argument and with --file`, "Leave one of them out");
  if (text !== undefined) return text;
  if (file === undefined) throw usageError(`${what} is missing`, "Give it as an argument or with --file");
  try {
    const { size } = await regularFile(file);
    if (size > MAX_FILE_BYTES) throw new Error(`it has ${size} bytes and the limit is ${MAX_FILE_BYTES}`);
    return await readFile(file, "utf8");
  } catch (error) {
    throw usageError(`cannot read ${file}: ${messageOf(error)}`, "Name a regular file that you can read");
  }
}

async function regularFile(path: string): Promise<{ size: number }> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new Error("it is not a regular file");
  return stats;
}
