/** The content of a checkout from which the product's files are determined. */
export interface CheckoutFacts {
  /** Every regular file, relative to the checkout, outside of .git. */
  readonly files: readonly string[];
  /** The files that git tracks. */
  readonly tracked: ReadonlySet<string>;
  /** Names in `dependencies` of the manifest at the root. */
  readonly dependencies: readonly string[];
}

export interface Product {
  /** Files that the control `absent` removes. */
  readonly files: readonly string[];
  /** Files that the control `broken` replaces. */
  readonly replaced: readonly string[];
  /** Other files that the set-up has made, such as programs and objects: `absent` removes them, and `broken` replaces them, too. */
  readonly built: readonly string[];
  /** Files that get a layer in the controls `deaf` and `renumbered`. */
  readonly sources: readonly string[];
  /** Manifests that contain the product's version. */
  readonly manifests: readonly string[];
}

/** Name endings of files that a language can load, which a set-up may have built. */
const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|pyx|go|rs|java|kts?|rb|php|cc?|cpp|cxx|h|hpp|cs|swift|scala|exs?|erl|lua|p[lm]|sh|bash|zig|nim|dart|hs|ml|clj|vue|svelte)$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
/** Folders and files that are never part of the product, wherever they are. */
const BESIDE =
  /(?:^|\/)(?:__tests__|__mocks__|node_modules|vendor|\.[^/]+)\/|(?:^|\/)(?:\.[^/]+|[^/]*\.config\.[^/]+|setup\.py|[Gg]ulpfile\.[^/]+|[Gg]runtfile\.[^/]+)$/;
const TEST = /(?:^|\/)(?:test_[^/]*\.py|conftest\.py|[^/]*[._-](?:test|spec)\.[^/]+|[^/]*_test\.(?:go|py))$/;
/** Folders that contain tests or documents in most packages, but the product in some. */
const SIDE_FOLDER = /^(?:tests?|specs?|docs?|examples?|fixtures|benchmarks?|bench)$/;
const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|[^/]+\.(?:gemspec|csproj|cabal))$/;
/** Documents about the product, and files that describe its build. */
const ABOUT =
  /(?:^|\/)(?:(?:readme|(?:licen[cs]e|copying)(?:[-_][\w-]+(?:\.\d+)?)?|notice|authors|contributors|contributing|changes|changelog|history|news|security|version)(?:\.txt)?|codeowners|pipfile|(?:gnu)?makefile|cmakelists\.txt|dockerfile|gemfile|rakefile|setup\.cfg|tox\.ini|manifest\.in|requirements[^/]*\.txt|tsconfig[^/]*\.json|[^/]+-lock\.(?:json|yaml)|[^/]+\.(?:lock|sum|md|markdown|rst|adoc))$/i;
/** Name endings of files that contain no program. */
const DATA =
  /\.(?:json|ya?ml|toml|xml|html?|css|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|otf|pdf|zip|gz|bz2|xz|tar|wasm|bin|csv|tsv|txt|log|snap|map|po|mo)$/i;

/**
 * Returns the files that the claim is about (V2): all tracked files except tests, documents and configuration, and the code that
 * the set-up has built from them. If the checkout tracks the modules that its manifest requires but no source of its own, these
 * modules are the product.
 */
export function productOf({ files, tracked, dependencies }: CheckoutFacts): Product {
  const isAside = asideIn(files);
  const isCode = (file: string): boolean => SOURCE.test(file) && !DECLARATIONS.test(file);
  const own = files.filter((file) => isCode(file) && !isAside(file));
  const within = modulesOf(files, tracked, dependencies);
  if (within.length > 0 && !own.some((file) => tracked.has(file)))
    return productOfModules(within, dependencies);
  const all = files.filter((file) => !isAside(file) && (isCode(file) || tracked.has(file)));
  const isAbout = (file: string): boolean => ABOUT.test(file) || MANIFEST.test(file);
  const kept = all.filter((file) => isCode(file) || !isAbout(file));
  const isBuilt = (file: string): boolean => !tracked.has(file) && !isCode(file) && !isAbout(file);
  const programs = kept.filter((file) => !DATA.test(file));
  // In a package that contains only data, the data counts as its answers.
  return {
    files: kept,
    replaced: programs.length > 0 ? programs : kept,
    // Without a tracked file, git cannot tell which files the set-up has made.
    built: tracked.size === 0 ? [] : files.filter((file) => isBuilt(file) && !isAside(file)),
    sources: programs.length > 0 ? withPrograms(own, kept) : kept.filter((file) => file.endsWith(".json")),
    manifests: files.filter((file) => /^(?:package\.json|pyproject\.toml)$/.test(file)),
  };
}

/** Returns a function that decides whether a file belongs to tests, documents or configuration. */
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

/** Returns each folder above a path, the outermost first. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}

/** Returns the tracked files of the modules that the root manifest requires. */
function modulesOf(
  files: readonly string[],
  tracked: ReadonlySet<string>,
  dependencies: readonly string[],
): string[] {
  const roots = dependencies.map((name) => `node_modules/${name}/`);
  return files.filter((file) => tracked.has(file) && roots.some((root) => file.startsWith(root)));
}

/** Adds the files without an extension that may be programs of Node.js; their adapter reads the first line. */
function withPrograms(sources: readonly string[], files: readonly string[]): string[] {
  const isOfNode = sources.some((file) => /\.[cm]?[jt]sx?$/.test(file));
  const isProgram = (file: string): boolean => /(?:^|\/)[\w-]+$/.test(file) && !ABOUT.test(file);
  return isOfNode ? [...sources, ...files.filter(isProgram)] : [...sources];
}

function productOfModules(within: readonly string[], dependencies: readonly string[]): Product {
  const manifestNames = new Set(dependencies.map((name) => `node_modules/${name}/package.json`));
  const manifests = within.filter((file) => manifestNames.has(file));
  const ownFiles = within.filter((file) => !/\/node_modules\/.*\/node_modules\//.test(`/${file}`));
  const code = ownFiles.filter((file) => SOURCE.test(file) && !DECLARATIONS.test(file));
  const data = ownFiles.filter((file) => file.endsWith(".json") && !manifestNames.has(file));
  const replaced = code.length > 0 ? code : data;
  return { files: within, replaced, built: [], sources: withPrograms(replaced, ownFiles), manifests };
}
