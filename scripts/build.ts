import { chmod, cp, mkdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";

/**
 * Bundles the two binaries and the demo's Triage Agent into dist/, or into the directory given. Natives and the emulated
 * GitHub stay packages.
 */
const ROOT = join(import.meta.dirname, "..");
const OUT = resolve(process.argv[2] ?? join(ROOT, "dist"));

await rm(OUT, { recursive: true, force: true });
await build({
  entryPoints: {
    "afk-triage": join(ROOT, "src/cli/afk-triage.ts"),
    "agent-tty": join(ROOT, "src/agent-tty/cli/agent-tty.ts"),
    "coder-terminal": join(ROOT, "src/workspaces/coder/terminal/coder-terminal.ts"),
    "demo-triage-agent": join(ROOT, "src/demo/triage-agent/main.ts"),
  },
  outdir: OUT,
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  external: ["@lydell/node-pty", "@napi-rs/canvas", "koffi", "libsql", "emulate"],
  // CommonJS packages inside an ESM bundle still call require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
for (const binary of ["afk-triage", "agent-tty"]) await chmod(join(OUT, `${binary}.js`), 0o755);

// Beside the bundle, where the engine looks for them: the fonts of screenshots and the player of HTML recordings.
await cp(join(ROOT, "src/agent-tty/render/fonts"), join(OUT, "fonts"), { recursive: true });
await mkdir(join(OUT, "player"));
const player = createRequire(import.meta.url).resolve("asciinema-player/dist/bundle/asciinema-player.min.js");
await cp(player, join(OUT, "player", "asciinema-player.min.js"));
await cp(join(dirname(player), "asciinema-player.css"), join(OUT, "player", "asciinema-player.css"));
