import { createHash } from "node:crypto";
import { writeWorkspaceFile } from "../../workspaces/index.ts";
import { adapterPrograms, type LanguageAdapters } from "../controls/index.ts";
import { ask, checkoutLines, type PlaceShell, type ProbeSettings, runScriptIn } from "../range/index.ts";
import { type HeardCall, readHeardCalls } from "./heard-calls.ts";
import { productAt } from "./place-product.ts";
import { type PrintedError, printedError } from "./shared-error.ts";

export interface ListenSettings extends ProbeSettings {
  readonly adapters: LanguageAdapters;
}

/** The calls and the error of one run of a script on a commit. */
export interface Heard {
  readonly calls: readonly HeardCall[];
  readonly error: PrintedError | null;
}

const LISTENER = "listener";
const ATTEMPTS = 2;
const LIMIT_MS = 30_000;
const MAX_NOTES_BYTES = 2_000_000;
/** The maximum number of files of a product that gets a layer. Calls to a larger product are not recorded. */
const MAX_FILES = 2_000;

/**
 * Runs a script once on a commit under a layer that records its calls to the product and the answers. Calls are recorded in
 * JavaScript and Python, errors in every language.
 */
export async function listenAt(commit: string, settings: ListenSettings, shell: PlaceShell): Promise<Heard> {
  const { sources, files } = await productAt(commit, shell);
  const layer =
    sources.length === 0 || sources.length > MAX_FILES
      ? []
      : await writeLayer(commit, sources, settings, shell);
  for (let attempt = 1; ; attempt += 1) {
    const ran = await runScriptIn([...checkoutLines(commit, settings.setup), ...layer], settings, shell);
    const notes = await ask([`head -c ${MAX_NOTES_BYTES} range/answers 2>/dev/null`], shell, LIMIT_MS);
    const calls = readHeardCalls(notes?.stdout ?? "");
    // The layer takes time, so a script with its own time limit may end before it calls anything.
    if (calls.length === 0 && layer.length > 0 && attempt < ATTEMPTS) continue;
    return { calls, error: ran.type === "ended" ? printedError(ran.output, files) : null };
  }
}

/**
 * Writes the layer's programs and returns the shell lines that apply them. Each adapter handles the files of its own language. If a
 * layer cannot be applied, the checkout stays unchanged.
 */
async function writeLayer(
  commit: string,
  sources: readonly string[],
  { adapters }: ListenSettings,
  { workspace, directory, signal }: PlaceShell,
): Promise<string[]> {
  const request = {
    root: `${directory}/range/run`,
    files: sources,
    manifests: [],
    answers: `${directory}/range/answers`,
    programs: [],
    // The token names files beside the product. No verdict depends on these runs, so it need not be secret.
    token: createHash("sha256").update(commit).digest("hex").slice(0, 32),
    version: "",
    isDeaf: false,
    isListening: false,
    candidate: null,
    remembered: "",
    recordsArguments: true,
  };
  const lines: string[] = [];
  for (const { name, interpreter, program } of adapterPrograms(adapters, request, sources)) {
    const file = `${LISTENER}.${name}`;
    await writeWorkspaceFile(workspace, `${directory}/${file}`, Buffer.from(program), {}, signal);
    lines.push(`timeout 60 ${interpreter} - < ../../${file} >/dev/null 2>&1`);
  }
  return lines;
}
