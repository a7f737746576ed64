import type { LayerRequest } from "./layer-request.ts";

/** The programs of `templates/controls` that put a layer over the product's sources, one per language. */
export interface LanguageAdapters {
  readonly javascript: string;
  readonly python: string;
}

/** A program that `interpreter` reads from standard input. */
export interface AdapterProgram {
  readonly name: keyof LanguageAdapters;
  readonly interpreter: "node" | "python3 -I";
  readonly program: string;
}

const PYTHON = /\.py$/;
/** Files that the adapters can give a layer. */
const LAYERED = /\.(?:[cm]?[jt]sx?|py|json)$/;

/**
 * Returns whether a file with a layer was loaded, or started as a program, according to the records (`answers`) of a renumbered
 * run.
 */
export function hasLoaded(answers: string): boolean {
  return /"key":"(?:loaded|program)"/.test(answers);
}

/**
 * Returns whether the layers do not concern the script: the renumbered run loaded no file with a layer, and most of the product is
 * written in languages without an adapter. Pure.
 */
export function isUnlayered(product: readonly string[], answers: string): boolean {
  const layered = product.filter((file) => LAYERED.test(file));
  return !hasLoaded(answers) && layered.length * 2 < product.length;
}

/**
 * Returns the programs of the adapters that a product needs. Each adapter gets the whole request and handles the files of its own
 * language. JavaScript's adapter also handles data files. Pure.
 */
export function adapterPrograms(
  { javascript, python }: LanguageAdapters,
  request: LayerRequest,
  sources: readonly string[],
): AdapterProgram[] {
  const asked = JSON.stringify(request);
  const programs: AdapterProgram[] = [];
  if (sources.some((file) => !PYTHON.test(file)))
    programs.push({
      name: "javascript",
      interpreter: "node",
      program: `${javascript}\nprepare(${asked}).then(() => process.exit(0));\n`,
    });
  if (sources.some((file) => PYTHON.test(file)))
    programs.push({
      name: "python",
      interpreter: "python3 -I",
      program: `${python}\nprepare(json.loads(${JSON.stringify(asked)}))\n`,
    });
  return programs;
}
