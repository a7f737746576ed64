import { readFileSync, readlinkSync } from "node:fs";
import { type BootTicks, orEmpty, OWN_START, processesSince } from "../process-starts.ts";

/**
 * Returns the command lines of other living processes whose argv, environment or working directory contains `text` and that
 * started after `since`, by default after this process.
 */
export async function processesNaming(text: string, since: BootTicks = OWN_START): Promise<string[]> {
  return processesSince(since).flatMap(({ pid }) => describe(pid, text) ?? []);
}

/**
 * The reads are synchronous and stop early: after some hundred tests, reading four files of every process took most of the time.
 */
function describe(pid: string, text: string): string | null {
  const read = (name: string): string => orEmpty(() => readFileSync(`/proc/${pid}/${name}`, "utf8"));
  const commandLine = read("cmdline");
  const names = (place: string): boolean => place.includes(text);
  const directory = (): string => orEmpty(() => readlinkSync(`/proc/${pid}/cwd`));
  if (!names(commandLine) && !names(read("environ")) && !names(directory())) return null;
  // The process has become a zombie.
  if (/\) [ZX] /.test(read("stat"))) return null;
  return `${pid}: ${commandLine.replaceAll("\0", " ").slice(0, 200)}`;
}
