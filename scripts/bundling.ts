import type { BuildOptions } from "esbuild";

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
