import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";

/** The build options of every program of this project: the published ones and those that a benchmark measures in their place. */
export const PROGRAM_OPTIONS = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  // Native modules and the emulated GitHub stay packages.
  external: ["@lydell/node-pty", "@napi-rs/canvas", "koffi", "libsql", "emulate"],
  // Node 20 supports these regular expressions. As literals they are compiled only when they are used.
  supported: { "regexp-set-notation": true },
  // Node compiles its code at every start, so less text takes less time. Names are kept for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  // CommonJS packages inside an ESM bundle still call require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
} as const satisfies BuildOptions;

/** The same options for a CommonJS module, which needs no ES module loader and whose compiled code can be cached. */
export const COMMON_JS_OPTIONS = {
  ...PROGRAM_OPTIONS,
  format: "cjs",
  // Otherwise each of our modules gets its own "use strict", although the functions that are hoisted out of it are not covered.
  tsconfigRaw: { compilerOptions: { strict: false, target: "es2023", verbatimModuleSyntax: true } },
  define: { "import.meta.url": "__moduleUrl" },
  banner: {
    js: 'const __moduleUrl = "file://" + encodeURI(__filename).replace(/[?#]/g, encodeURIComponent);',
  },
} as const satisfies BuildOptions;

const OWN_REQUIRE = "const require = createRequire(import.meta.url);\n";

/**
 * Bundles the terminal emulator and its table of widths, which the engine requires when it creates its first screen. The compiled
 * code of a bundle is cached between commands; that of a package is not.
 */
export const WITH_EMULATOR: Plugin = {
  name: "with-emulator",
  setup: (build) => {
    build.onLoad(
      { filter: /\/src\/agent-tty\/screen\/(?:screen|wide-characters)\.ts$/ },
      async ({ path }) => {
        const source = await readFile(path, "utf8");
        if (!source.includes(OWN_REQUIRE)) throw new Error(`${path} has no require of its own to remove`);
        // A bundler resolves `require` only if the module does not define it itself.
        return { contents: source.replace(OWN_REQUIRE, ""), loader: "ts" };
      },
    );
  },
};

const OWN_SEGMENTER = "const segmenter = new Intl.Segmenter();\n";

/** Loads the Unicode tables only when a text needs them, because they take a fifth of the processor time of a short command. */
export const LATE_SEGMENTER: Plugin = {
  name: "late-segmenter",
  setup: (build) => {
    build.onLoad({ filter: /\/node_modules\/(?:string-width|wrap-ansi)\/index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!source.includes(OWN_SEGMENTER))
        throw new Error(`${path} has no segmenter of its own to load later`);
      const late =
        "let made;\nconst segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) };\n";
      return { contents: source.replace(OWN_SEGMENTER, late) };
    });
  },
};

const LATER = "later";

/**
 * Converts the ES modules into which esbuild has split a program to CommonJS, because esbuild splits only ES modules. A part
 * requires another part by its name; a dynamic import becomes a require at that moment.
 */
export const COMMON_JS_PARTS: Plugin = {
  name: "common-js-parts",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, kind }) => {
      if (kind === "entry-point") return null;
      if (kind === "dynamic-import") return { path: basename(path, ".js"), namespace: LATER };
      return { path: path.replace(/\.js$/, ".cjs"), external: true };
    });
    // An external package may be an ES module. The bundle's loader imports it, because a dynamic import in a node:vm script
    // prints a warning.
    build.onLoad({ filter: /\.js$/, namespace: "file" }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(/\bimport\((?="[\w@])/g, "__import("),
    }));
    build.onLoad({ filter: /.*/, namespace: LATER }, ({ path }) => ({
      contents: `module.exports = require("./${path}.js")`,
    }));
  },
};
