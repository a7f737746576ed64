import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Command lines of other living processes whose argv, environment or working directory names `text`. */
export async function processesNaming(text: string): Promise<string[]> {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => describe(pid, text) ?? []);
}

/** Synchronous: after some hundred tests, reading every process four times over was most of what looking costs. */
function describe(pid: string, text: string): string | null {
  const read = (name: string): string => orEmpty(() => readFileSync(`/proc/${pid}/${name}`, "utf8"));
  const commandLine = read("cmdline");
  const names = (place: string): boolean => place.includes(text);
  const directory = (): string => orEmpty(() => readlinkSync(`/proc/${pid}/cwd`));
  if (!names(commandLine) && !names(read("environ")) && !names(directory())) return null;
  // A zombie.
  if (/\) [ZX] /.test(read("stat"))) return null;
  return `${pid}: ${commandLine.replaceAll("\0", " ").slice(0, 200)}`;
}

/** The process may be gone, or another user's. */
function orEmpty(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}
