/** The programs of `templates/controls` that put a layer over the product's sources, one a language. */
export interface LanguageAdapters {
  readonly javascript: string;
  readonly python: string;
}

/** A program to hand to `interpreter` over standard input. */
export interface AdapterProgram {
  readonly name: keyof LanguageAdapters;
  readonly interpreter: "node" | "python3";
  readonly program: string;
}

const PYTHON = /\.py$/;

/**
 * Pure: the adapters that a product needs. Each gets the whole request and takes the files of its own language; a product that is
 * data is JavaScript's.
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
