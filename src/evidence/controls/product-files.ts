/** The content of a checkout, as far as the product in it can be told from the rest. */
export interface CheckoutFacts {
  /** Every regular file, relative to the checkout, outside of .git. */
  readonly files: readonly string[];
  /** Those that git tracks. */
  readonly tracked: ReadonlySet<string>;
  /** Names in `dependencies` of the manifest at the root. */
  readonly dependencies: readonly string[];
}

export interface Product {
  /** Taken away in the control `absent`. */
  readonly files: readonly string[];
  /** Replaced in `broken`, and given a layer in `deaf` and `renumbered`. */
  readonly sources: readonly string[];
  /** Manifests that hold its version. */
  readonly manifests: readonly string[];
}

const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|pyx|go|rs|java|kts?|rb|php|cc?|cpp|cxx|h|hpp|cs|swift|scala|exs?|erl|lua|p[lm]|sh|bash|zig|nim|dart|hs|ml|clj|vue|svelte)$/;
const NOT_PRODUCT =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|docs?|examples?|fixtures|benchmarks?|bench|node_modules|vendor|\.[^/]+)\/|(?:^|\/)(?:test_[^/]*\.py|conftest\.py|[^/]*[._-](?:test|spec)\.[^/]+|[^/]*_test\.(?:go|py)|[^/]*\.config\.[^/]+|\.[^/]+|setup\.py|[Gg]ulpfile\.[^/]+|[Gg]runtfile\.[^/]+)$|\.d\.[cm]?ts$/;

/**
 * V2: what the claim is about. Source of the checkout (tracked, or built by its set-up) without tests, documents and
 * configuration; where the checkout tracks the modules that its manifest asks for and no source of its own, those.
 */
export function productOf({ files, tracked, dependencies }: CheckoutFacts): Product {
  const own = files.filter((file) => SOURCE.test(file) && !NOT_PRODUCT.test(file));
  if (own.some((file) => tracked.has(file)))
    return {
      files: own,
      sources: own,
      manifests: files.filter((file) => /^(?:package\.json|pyproject\.toml)$/.test(file)),
    };
  const roots = dependencies.map((name) => `node_modules/${name}/`);
  const within = files.filter((file) => tracked.has(file) && roots.some((root) => file.startsWith(root)));
  const manifests = within.filter((file) => roots.some((root) => file === `${root}package.json`));
  const ownFiles = within.filter((file) => !/\/node_modules\/.*\/node_modules\//.test(`/${file}`));
  const code = ownFiles.filter((file) => SOURCE.test(file) && !/\.d\.[cm]?ts$/.test(file));
  const data = ownFiles.filter((file) => file.endsWith(".json") && !manifests.includes(file));
  // A package of nothing but data: its data is what it answers.
  return { files: within, sources: code.length > 0 ? code : data, manifests };
}
