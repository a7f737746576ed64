import { readFileSync, readlinkSync } from "node:fs";
import { type BootTicks, orEmpty, OWN_START, processesSince } from "../process-starts.ts";

/**
 * Command lines of other living processes whose argv, environment or working directory names `text`, of those that started
 * since then: by default since this process did.
 */
export async function processesNaming(text: string, since: BootTicks = OWN_START): Promise<string[]> {
  return processesSince(since).flatMap(({ pid }) => describe(pid, text) ?? []);
}

/** Synchronous: after some hundred tests, reading every process four times over was most of what looking costs. */
function describe(pid: string, text: string): string | null {
  const read = (name: string): string => orEmpty(() => readFileSync(`/proc/${pid}/${name}`, "utf8"));
  const commandLine = read("cmdline");
  const names = (place: string): boolean => place.includes(text);
  const directory = (): string => orEmpty(() => readlinkSync(`/proc/${pid}/cwd`));
  if (!names(commandLine) && !names(read("environ")) && !names(directory())) return null;
  // A zombie by now.
  if (/\) [ZX] /.test(read("stat"))) return null;
  return `${pid}: ${commandLine.replaceAll("\0", " ").slice(0, 200)}`;
}
