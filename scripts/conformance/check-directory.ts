import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "agent-tty/kit";
import { z } from "zod";
import type { CaseReport } from "./case-report.ts";
import type { Family } from "./family.ts";

export type FileReport =
  | { file: string; status: "covered"; cases: readonly CaseReport[] }
  | { file: string; status: "not-covered" }
  /** A file of a known family that does not have its shape: no case of it was tried. */
  | { file: string; status: "unreadable"; problem: string };

/** Puts every case file below the directory to its family, in the order of their names. Rejects when it cannot be listed. */
export async function checkDirectory(directory: string, families: readonly Family[]): Promise<FileReport[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== "README.md")
    .map((entry) => join(entry.parentPath, entry.name).slice(join(directory, "/").length));
  const reports: FileReport[] = [];
  for (const file of files.toSorted()) reports.push(await checkFile(directory, file, families));
  return reports;
}

async function checkFile(directory: string, file: string, families: readonly Family[]): Promise<FileReport> {
  const family = families.find(({ files }) => files.test(file));
  if (family === undefined) return { file, status: "not-covered" };
  const text = await readFile(join(directory, file), "utf8");
  try {
    return { file, status: "covered", cases: await family.check(parseContent(file, text)) };
  } catch (error) {
    if (error instanceof SyntaxError) return { file, status: "unreadable", problem: messageOf(error) };
    if (error instanceof z.ZodError) return { file, status: "unreadable", problem: z.prettifyError(error) };
    throw error;
  }
}

function parseContent(file: string, text: string): unknown {
  if (!file.endsWith(".jsonl")) return JSON.parse(text);
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): unknown => JSON.parse(line));
}
