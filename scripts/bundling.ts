import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";

/** How every program of ours is bundled, the published ones and what a benchmark measures in their place. */
export const PROGRAM_OPTIONS = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  // Natives, and the emulated GitHub, stay packages.
  external: ["@lydell/node-pty", "@napi-rs/canvas", "koffi", "libsql", "emulate"],
  // Node 20 knows these regular expressions. As literals they are compiled when they are used.
  supported: { "regexp-set-notation": true },
  // Node compiles what it loads at every start: less text, less time. Names stay, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  // CommonJS packages inside an ESM bundle still call require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
} as const satisfies BuildOptions;

/** The same as a CommonJS module, which needs no loader of ES modules and whose compiled code can be kept. */
export const COMMON_JS_OPTIONS = {
  ...PROGRAM_OPTIONS,
  format: "cjs",
  define: { "import.meta.url": "__moduleUrl" },
  banner: {
    js: 'const __moduleUrl = "file://" + encodeURI(__filename).replace(/[?#]/g, encodeURIComponent);',
  },
} as const satisfies BuildOptions;

const OWN_REQUIRE = "const require = createRequire(import.meta.url);\n";

/**
 * Bundles the terminal emulator and its table of widths, which the engine requires when it makes its first screen: the compiled
 * code of a bundle is kept from one command to the next, that of a package is not.
 */
export const WITH_EMULATOR: Plugin = {
  name: "with-emulator",
  setup: (build) => {
    build.onLoad(
      { filter: /\/src\/agent-tty\/screen\/(?:screen|wide-characters)\.ts$/ },
      async ({ path }) => {
        const source = await readFile(path, "utf8");
        if (!source.includes(OWN_REQUIRE)) throw new Error(`${path} has no require of its own to take away`);
        // A bundler follows a require that the module did not make itself.
        return { contents: source.replace(OWN_REQUIRE, ""), loader: "ts" };
      },
    );
  },
};

const OWN_SEGMENTER = "const segmenter = new Intl.Segmenter();\n";

/** Loads the tables of Unicode when a text needs them: they take a fifth of the processor time of a short command. */
export const LATE_SEGMENTER: Plugin = {
  name: "late-segmenter",
  setup: (build) => {
    build.onLoad({ filter: /\/node_modules\/(?:string-width|wrap-ansi)\/index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!source.includes(OWN_SEGMENTER)) throw new Error(`${path} has no segmenter of its own to put off`);
      const late =
        "let made;\nconst segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) };\n";
      return { contents: source.replace(OWN_SEGMENTER, late) };
    });
  },
};

const LATER = "later";

/**
 * Makes CommonJS of the ES modules that esbuild has split a program into, because it splits nothing else: a part requires another
 * one by its name, and one that it imports while it runs, it requires then.
 */
export const COMMON_JS_PARTS: Plugin = {
  name: "common-js-parts",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, kind }) => {
      if (kind === "entry-point") return null;
      if (kind === "dynamic-import") return { path: basename(path, ".js"), namespace: LATER };
      return { path: path.replace(/\.js$/, ".cjs"), external: true };
    });
    // A package that stays outside may be an ES module, which the loader of the bundle imports: a script of node:vm does so with a warning.
    build.onLoad({ filter: /\.js$/, namespace: "file" }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(/\bimport\((?="[\w@])/g, "__import("),
    }));
    build.onLoad({ filter: /.*/, namespace: LATER }, ({ path }) => ({
      contents: `module.exports = require("./${path}.js")`,
    }));
  },
};
