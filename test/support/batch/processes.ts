import { readdir, readFile, readlink } from "node:fs/promises";

/** Command lines of other living processes whose argv, environment or working directory names `text`. */
export async function processesNaming(text: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(pids.map((pid) => describe(pid, text)));
  return found.filter((line) => line !== null);
}

async function describe(pid: string, text: string): Promise<string | null> {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const [stat, commandLine, environment, directory] = await Promise.all([
    read("stat"),
    read("cmdline"),
    read("environ"),
    readlink(`/proc/${pid}/cwd`).catch(() => ""),
  ]);
  const isZombie = /\) [ZX] /.test(stat);
  if (isZombie || ![commandLine, environment, directory].some((place) => place.includes(text))) return null;
  return `${pid}: ${commandLine.replaceAll("\0", " ").slice(0, 200)}`;
}
