import { createHash } from "node:crypto";
import { readFileSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { LayerRequest } from "../../controls/index.ts";
import type { LayerConfig, Sums } from "../layer-config.ts";
import { writeClock } from "./clock.ts";
import { layerScript } from "./common-js.ts";
import { layerData } from "./data-file.ts";
import { layerModule } from "./es-module.ts";
import { isCommonJs, isEsModule, isSource } from "./kind-of-source.ts";
import { permit, renumber } from "./manifest.ts";
import { layerFile } from "./seal.ts";

// Runs inside the place, on a copy of the checkout. It gives the product's JavaScript a layer (layer/) that either passes every
// call on (renumbered) or answers instead of the product (deaf). The text of both differs only in a random key and a block of
// constant size that the key decrypts. afk-triage appends a call of `prepare`, and node reads the whole program from standard
// input.

const MAX_BYTES = 4_000_000;

/** A planned change; it returns the path of the file that holds an ES module's text. */
interface Change {
  readonly file: string;
  readonly apply: () => string | null;
}

/** Gives the checkout's product a layer, and prints the number of files that have one, as JSON. */
export async function prepare(request: LayerRequest): Promise<void> {
  rmSync(request.answers, { force: true });
  if (request.clock) writeClock(request.clock);
  const layered = request.candidate?.candidate === "manifest" ? permitAll(request) : await layerAll(request);
  process.stdout.write(JSON.stringify({ layered }));
}

function permitAll({ root, manifests }: LayerRequest): number {
  for (const manifest of manifests) permit(join(root, manifest));
  return manifests.length;
}

async function layerAll(request: LayerRequest): Promise<number> {
  const { root, files, token } = request;
  const sources = files.filter((file) => isSource(root, file));
  const [first] = sources;
  const layer = join(root, dirname(first ?? "x"), `.${token.slice(8, 20)}.cjs`);
  const changes = await plannedChanges(request, sources, layer);
  const config = layerConfig(request, changes);
  let layered = changes.length;
  if (first !== undefined && layered > 0) {
    writeFileSync(layer, layerFile(config, token));
    const { atime, mtime } = statSync(join(root, first));
    utimesSync(layer, atime, mtime);
  }
  for (const file of sources.length > 0 ? [] : files.filter((one) => one.endsWith(".json")))
    try {
      layerData(join(root, file), request);
      layered += 1;
    } catch {}
  for (const manifest of request.manifests) renumber(join(root, manifest), request.version);
  return layered;
}

/** Plans all changes before the first one is made, because the names of exports are found by importing the whole product. */
async function plannedChanges(
  { root, token, candidate, programs }: LayerRequest,
  sources: readonly string[],
  layer: string,
): Promise<Change[]> {
  const loads = candidate?.candidate === "loads";
  const changes: Change[] = [];
  for (const file of sources) {
    const full = join(root, file);
    const stat = statSync(full);
    const text = readFileSync(full, "utf8");
    if (stat.size > MAX_BYTES) continue;
    const isProgram = text.startsWith("#!") || programs.includes(file);
    try {
      if (isEsModule(root, file, text)) {
        const apply = await layerModule(full, text, layer, stat, { token, loads, isProgram });
        if (apply !== null) changes.push({ file, apply });
      } else if (isCommonJs(text))
        changes.push({ file, apply: () => (layerScript(full, text, layer, stat, loads), null) });
    } catch (error) {
      process.stderr.write(`${file}: ${(error as Error).message}\n`);
    }
  }
  return changes;
}

/** Makes the changes and returns what the layer must know about them. */
function layerConfig(request: LayerRequest, changes: readonly Change[]): LayerConfig {
  const { answers, isDeaf, isListening, candidate, remembered } = request;
  const root = realpathSync(request.root);
  const files = [...request.files];
  const sums: Sums = {};
  const sumsOfModules: Sums = {};
  const isSummed = candidate?.candidate !== "loads";
  for (const { file, apply } of changes) {
    const inner = apply();
    const own = inner === null ? sums : sumsOfModules;
    if (isSummed) own[file] = sumOf(join(request.root, file));
    if (inner === null) continue;
    const path = relative(request.root, inner);
    files.push(path);
    if (isSummed) sumsOfModules[path] = sumOf(inner);
  }
  const recordsArguments = request.recordsArguments === true;
  return {
    root,
    files,
    sums,
    sumsOfModules,
    answers,
    isDeaf,
    isListening,
    candidate,
    remembered,
    recordsArguments,
  };
}

const sumOf = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12);
