import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ADAPTER = join(import.meta.dirname, "../../templates/controls/javascript.cjs");

/** One process that prepares the products of all tests of a file. Two new processes per product took a third of the time. */
let preparing: ChildProcess;

/** Starts the process before the tests of the calling file and ends it after them: files of one worker share this module. */
export function prepareLayers(): void {
  beforeAll(async () => {
    await using directory = await temporaryDirectory();
    const program = join(directory.path, "prepare.cjs");
    const answer =
      "process.on('message', (request) => prepare(request).then(() => process.send('prepared'))); process.send('ready');";
    await writeFile(program, `${await readFile(ADAPTER, "utf8")}\n${answer}\n`);
    preparing = fork(program, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    await once(preparing, "message");
  });
  afterAll(async () => {
    const ended = once(preparing, "exit");
    preparing.kill();
    await ended;
  });
}

async function prepare(request: object): Promise<void> {
  const prepared = once(preparing, "message");
  preparing.send(request);
  await prepared;
}

export interface Layering {
  /** Files of the product, below `product/`. */
  files: Readonly<Record<string, string>>;
  /** A program that prints the product's answers. */
  script: string;
  module?: boolean;
  candidate?: {
    candidate: string;
    isLeaf: boolean;
    spread?: string;
    only?: string;
    data?: string[];
    isWanted?: boolean;
    fields?: string;
  };
  /** The renumbered product records which of the script's functions it runs. */
  isListening?: boolean;
}

/** Runs the script on the real, the renumbered and the deaf product. */
export async function layered(layering: Layering) {
  return withProducts(layering, async (runOn) => {
    const real = await runOn("real");
    const renumbered = await runOn("renumbered");
    return { real, renumbered, deaf: await runOn("deaf") };
  });
}

/** Runs the script on the renumbered product, and returns the answers that it noted. */
export async function notedAnswers(layering: Layering): Promise<string> {
  return withProducts(layering, async (runOn, remembered) => {
    await runOn("renumbered");
    return remembered();
  });
}

type RunOn = (kind: "real" | "renumbered" | "deaf") => Promise<string>;

async function withProducts<T>(
  { files, script, module = false, candidate, isListening = false }: Layering,
  play: (runOn: RunOn, remembered: () => string) => Promise<T>,
): Promise<T> {
  await using directory = await temporaryDirectory();
  const answers = join(directory.path, "answers");
  const sources = Object.keys(files).filter((file) => !file.endsWith("package.json"));
  const name = module ? "script.mjs" : "script.cjs";
  let remembered = "";
  const runOn: RunOn = async (kind) => {
    const root = join(directory.path, kind);
    for (const [path, text] of Object.entries({ ...files, [`../${name}`]: script })) {
      const file = join(root, "product", path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { mode: 0o755 });
    }
    const request = {
      root,
      files: sources.map((file) => `product/${file}`),
      manifests: "package.json" in files ? ["product/package.json"] : [],
      answers,
      programs: [],
      token: "00112233445566778899aabbccddeeff",
      version: "300.0.1",
      isDeaf: kind === "deaf",
      isListening: isListening && kind === "renumbered",
      candidate: kind === "deaf" ? (candidate ?? null) : null,
      remembered,
    };
    if (kind !== "real") await prepare(request);
    const { stdout, exitCode } = await execa("node", [name], { cwd: root, reject: false });
    if (kind === "renumbered") remembered = await readFile(answers, "utf8").catch(() => "");
    return exitCode === 0 ? stdout : `${stdout}exit ${exitCode}`;
  };
  return await play(runOn, () => remembered);
}
