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
