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
  /** Replaced in `broken`. */
  readonly replaced: readonly string[];
  /** Given a layer in `deaf` and `renumbered`. */
  readonly sources: readonly string[];
  /** Manifests that hold its version. */
  readonly manifests: readonly string[];
}

/** By their ends: what a language can load, so that a set-up may have built it. */
const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|pyx|go|rs|java|kts?|rb|php|cc?|cpp|cxx|h|hpp|cs|swift|scala|exs?|erl|lua|p[lm]|sh|bash|zig|nim|dart|hs|ml|clj|vue|svelte)$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
/** Folders and files that are never the product, wherever they are. */
const BESIDE =
  /(?:^|\/)(?:__tests__|__mocks__|node_modules|vendor|\.[^/]+)\/|(?:^|\/)(?:\.[^/]+|[^/]*\.config\.[^/]+|setup\.py|[Gg]ulpfile\.[^/]+|[Gg]runtfile\.[^/]+)$/;
const TEST = /(?:^|\/)(?:test_[^/]*\.py|conftest\.py|[^/]*[._-](?:test|spec)\.[^/]+|[^/]*_test\.(?:go|py))$/;
/** Folders that hold tests or documents in most packages, and the product in some. */
const SIDE_FOLDER = /^(?:tests?|specs?|docs?|examples?|fixtures|benchmarks?|bench)$/;
const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|[^/]+\.(?:gemspec|csproj|cabal))$/;
/** What tells people about the product, or tools how to build it. */
const ABOUT =
  /(?:^|\/)(?:(?:readme|licen[cs]e|copying|notice|authors|contributors|contributing|changes|changelog|history|news|security)(?:\.txt)?|(?:gnu)?makefile|cmakelists\.txt|dockerfile|gemfile|rakefile|setup\.cfg|tox\.ini|manifest\.in|requirements[^/]*\.txt|tsconfig[^/]*\.json|[^/]+-lock\.(?:json|yaml)|[^/]+\.(?:lock|sum|md|markdown|rst|adoc))$/i;
/** Files that hold no program, by their ends. */
const DATA =
  /\.(?:json|ya?ml|toml|xml|html?|css|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|otf|pdf|zip|gz|bz2|xz|tar|wasm|bin|csv|tsv|txt|log|snap|map|po|mo)$/i;

/**
 * V2: what the claim is about. All that git tracks without tests, documents and configuration, and what the set-up has built of it;
 * where the checkout tracks the modules that its manifest asks for and no source of its own, those.
 */
export function productOf({ files, tracked, dependencies }: CheckoutFacts): Product {
  const isAside = asideIn(files);
  const isCode = (file: string): boolean => SOURCE.test(file) && !DECLARATIONS.test(file);
  const own = files.filter((file) => isCode(file) && !isAside(file));
  const within = modulesOf(files, tracked, dependencies);
  if (within.length > 0 && !own.some((file) => tracked.has(file)))
    return productOfModules(within, dependencies);
  const all = files.filter((file) => !isAside(file) && (isCode(file) || tracked.has(file)));
  const kept = all.filter((file) => isCode(file) || !(ABOUT.test(file) || MANIFEST.test(file)));
  const programs = kept.filter((file) => !DATA.test(file));
  // A package of nothing but data: its data is what it answers.
  return {
    files: kept,
    replaced: programs.length > 0 ? programs : kept,
    sources: programs.length > 0 ? own : kept.filter((file) => file.endsWith(".json")),
    manifests: files.filter((file) => /^(?:package\.json|pyproject\.toml)$/.test(file)),
  };
}

/** Whether a file belongs to tests, documents or configuration. */
function asideIn(files: readonly string[]): (file: string) => boolean {
  const packages = new Set(
    files.filter((file) => MANIFEST.test(file) && !BESIDE.test(file)).map((file) => folderOf(file)),
  );
  const tested = new Set(files.filter((file) => TEST.test(file)).flatMap(foldersOf));
  const isSide = (folder: string): boolean => {
    const parent = folderOf(folder);
    const name = folder.slice(parent === "" ? 0 : parent.length + 1);
    if (!SIDE_FOLDER.test(name)) return false;
    // Maven and Gradle have tests in `src/test`.
    const isOfMaven = name === "test" && /(?:^|\/)src$/.test(parent);
    return parent === "" || isOfMaven || packages.has(parent) || tested.has(folder);
  };
  return (file) => BESIDE.test(file) || TEST.test(file) || foldersOf(file).some(isSide);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Each folder that a path lies in, the outermost first. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

/** Tracked files of the modules that the manifest at the root asks for. */
function modulesOf(
  files: readonly string[],
  tracked: ReadonlySet<string>,
  dependencies: readonly string[],
): string[] {
  const roots = dependencies.map((name) => `node_modules/${name}/`);
  return files.filter((file) => tracked.has(file) && roots.some((root) => file.startsWith(root)));
}

function productOfModules(within: readonly string[], dependencies: readonly string[]): Product {
  const manifestNames = new Set(dependencies.map((name) => `node_modules/${name}/package.json`));
  const manifests = within.filter((file) => manifestNames.has(file));
  const ownFiles = within.filter((file) => !/\/node_modules\/.*\/node_modules\//.test(`/${file}`));
  const code = ownFiles.filter((file) => SOURCE.test(file) && !DECLARATIONS.test(file));
  const data = ownFiles.filter((file) => file.endsWith(".json") && !manifestNames.has(file));
  const sources = code.length > 0 ? code : data;
  return { files: within, replaced: sources, sources, manifests };
}
