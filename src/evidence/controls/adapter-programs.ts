/** The programs of `templates/controls` that put a layer over the product's sources, one per language. */
export interface LanguageAdapters {
  readonly javascript: string;
  readonly python: string;
}

/** A program that `interpreter` reads from standard input. */
export interface AdapterProgram {
  readonly name: keyof LanguageAdapters;
  readonly interpreter: "node" | "python3";
  readonly program: string;
}

const PYTHON = /\.py$/;

/**
 * Returns the programs of the adapters that a product needs. Each adapter gets the whole request and handles the files of its own
 * language. JavaScript's adapter also handles data files. Pure.
 */
export function adapterPrograms(
  { javascript, python }: LanguageAdapters,
  request: object,
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
      interpreter: "python3",
      program: `${python}\nprepare(json.loads(${JSON.stringify(asked)}))\n`,
    });
  return programs;
}
