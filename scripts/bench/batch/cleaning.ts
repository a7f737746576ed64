/** Cleans the output of a flood as the parent does: `cleaning.ts MEGABYTES` prints CleaningFigures as JSON. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { cleanSession, createCanaryDetector } from "../../../src/triage/index.ts";

export interface CleaningFigures {
  flood: string;
  /** Of output, in megabytes a second of processor time. */
  megabytesPerCpuSecond: number;
  longestBlockMs: number;
}

const FLOODS: Readonly<Record<string, (index: number) => string>> = {
  seq: (index) => `${index}\r\n`,
  "lines of a log": (index) =>
    `INFO the server has answered request ${index} in /src/module/file.ts with status okay\r\n`,
  "coloured lines": (index) => `\u001b[3${index % 8}mtest ${index}\u001b[0m has passed after a while\r\n`,
  hexadecimal: () => `${randomBytes(20).toString("hex")}\r\n`,
};
const MEGABYTE = 1_000_000;
const SECRETS = 20;

const bytes = Number(process.argv[2] ?? "4") * MEGABYTE;
const figures: CleaningFigures[] = [];
for (const [flood, line] of Object.entries(FLOODS)) figures.push(await measure(flood, line));
process.stdout.write(JSON.stringify(figures));

async function measure(flood: string, line: (index: number) => string): Promise<CleaningFigures> {
  const directory = await mkdtemp(join(tmpdir(), "cleaning-bench-"));
  try {
    const secrets = Array.from({ length: SECRETS }, (_, index) => ({
      name: `SECRET_${index}`,
      value: randomBytes(20 + index).toString("base64url"),
    }));
    const canaries = createCanaryDetector(secrets);
    await write(directory, line);
    // Once for the compiler.
    await cleanSession(directory, canaries);
    using delay = started(monitorEventLoopDelay({ resolution: 1 }));
    const before = process.cpuUsage();
    if ((await cleanSession(directory, canaries)) !== null) throw new Error(`${flood}: a secret was found`);
    const { user, system } = process.cpuUsage(before);
    return {
      flood,
      megabytesPerCpuSecond: bytes / MEGABYTE / ((user + system) / 1e6),
      longestBlockMs: delay.max / 1e6,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Delay = ReturnType<typeof monitorEventLoopDelay>;

function started(delay: Delay): Delay & Disposable {
  delay.enable();
  return Object.assign(delay, { [Symbol.dispose]: () => void delay.disable() });
}

async function write(directory: string, line: (index: number) => string): Promise<void> {
  let text = "";
  for (let index = 100_000; text.length < bytes; index += 1) text += line(index);
  await writeFile(join(directory, "output.bin"), text.slice(0, bytes));
  await writeFile(join(directory, "events.jsonl"), "");
  await writeFile(join(directory, "session.json"), "{}");
}
