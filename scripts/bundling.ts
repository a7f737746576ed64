import { readFile } from "node:fs/promises";
import type { BuildOptions, Plugin } from "esbuild";

/** How every program of ours is bundled, the published ones and what a benchmark measures in their place. */
export const PROGRAM_OPTIONS = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  // Natives, and the emulated GitHub, stay packages.
  external: ["@lydell/node-pty", "@napi-rs/canvas", "koffi", "libsql", "emulate"],
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
