import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build, type BuildOptions } from "esbuild";
import {
  COMMON_JS_OPTIONS,
  COMMON_JS_PARTS,
  LATE_SEGMENTER,
  PROGRAM_OPTIONS,
  WITH_EMULATOR,
} from "./bundling.ts";
import { manualPage } from "./manual-page.ts";
import { thirdPartyNotices } from "./third-party-notices.ts";
import { guardSource } from "../src/cli/node-guard.ts";
import { buildProgram } from "../src/cli/program.ts";
import { VERSION } from "../src/cli/version.ts";
import { scriptArguments } from "./script-arguments.ts";

/**
 * Bundles the binaries, the demo's Triage Agent and the board's page into dist/, or into the given directory; with `--engine`
 * only the files of agent-tty, with `--page` only the page. Native modules and the emulated GitHub stay packages.
 */
const ROOT = join(import.meta.dirname, "..");
const { values, positionals } = scriptArguments(import.meta.url, {
  options: { engine: { type: "boolean", default: false }, page: { type: "boolean", default: false } },
  allowPositionals: true,
});
const OUT = resolve(positionals[0] ?? join(ROOT, "dist"));
/** The new directory replaces the old one when it is complete, so that a failed build leaves the last one unchanged. */
const NEW = `${OUT}.new`;
const CLEANING_PROGRAM = join(ROOT, "src/triage/quarantine/cleaning/cleaning-program.ts");

const COMMON: BuildOptions = { ...PROGRAM_OPTIONS, outdir: NEW, splitting: true };

/** The page is one classic script, because a report is opened from file://, where module scripts do not run. */
const PAGE: BuildOptions = {
  outdir: join(NEW, "board"),
  entryPoints: [
    { in: join(ROOT, "src/board/page/start/start-script.ts"), out: "start" },
    { in: join(ROOT, "src/board/page/main.tsx"), out: "board" },
    { in: join(ROOT, "src/board/page/terminal/wide-characters-script.ts"), out: "wide-characters" },
    { in: join(ROOT, "src/board/page/style/board.css"), out: "board" },
  ],
  bundle: true,
  platform: "browser",
  format: "iife",
  target: ["es2023", "chrome123", "firefox121", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  // The terminal emulator's warnings on the console are meant for programmers, not for readers of the board.
  drop: ["console"],
  charset: "utf8",
  logLevel: "warning",
};

/**
 * The emulator's private names begin with an underscore, and nothing outside this script uses them. Shortening them saves a sixth
 * of the size.
 */
const TERMINAL: BuildOptions = {
  ...PAGE,
  entryPoints: [{ in: join(ROOT, "src/board/page/terminal/terminal-script.ts"), out: "terminal" }],
  mangleProps: /^_[a-z]/,
};

const bundled = new Set<string>();
await rm(NEW, { recursive: true, force: true });
if (!values.page) await buildPrograms();
if (!values.engine) await buildPage();
if (!values.engine && !values.page) await buildManualPage();
await writeFile(join(NEW, "THIRD-PARTY-NOTICES.md"), thirdPartyNotices(ROOT, bundled));
await rm(OUT, { recursive: true, force: true });
await rename(NEW, OUT);

async function buildManualPage(): Promise<void> {
  const program = buildProgram({
    output: () => Promise.reject(new Error("the manual page runs no command")),
    exitWith: () => undefined,
  });
  await mkdir(join(NEW, "man"));
  await writeFile(join(NEW, "man", "afk-triage.1"), await manualPage({ program, version: VERSION }));
}

/** Builds a bundle, and records which packages it contains. */
async function bundle(options: BuildOptions): Promise<void> {
  const { metafile } = await build({ ...options, absWorkingDir: ROOT, metafile: true });
  for (const input of Object.keys(metafile.inputs)) bundled.add(input);
}

async function buildPrograms(): Promise<void> {
  // A client and a host process each load one file, which contains only what they need.
  const engine = { client: "agent-tty/cli/main.ts", host: "agent-tty/daemon/host-process.ts" };
  for (const [name, door] of Object.entries(engine))
    await bundle({
      ...COMMON_JS_OPTIONS,
      plugins: [WITH_EMULATOR],
      entryPoints: [join(ROOT, "src", door)],
      outfile: join(NEW, `agent-tty-${name}.cjs`),
    });
  await binary("agent-tty", "agent-tty/cli/agent-tty.ts");
  if (!values.engine) {
    await parts("afk-triage-main", "cli/program.ts");
    await binary("afk-triage", "cli/afk-triage.ts");
    // The thread of the parent that searches for secrets also loads one file, so that nothing else is in its memory.
    await bundle({ ...COMMON, splitting: false, entryPoints: { "cleaning-program": CLEANING_PROGRAM } });
    await bundle({
      ...COMMON,
      entryPoints: {
        "coder-terminal": join(ROOT, "src/workspaces/coder/terminal/coder-terminal.ts"),
        "demo-triage-agent": join(ROOT, "src/demo/triage-agent/main.ts"),
      },
    });
  }

  // The engine expects the fonts of screenshots and the player of HTML recordings next to the bundle.
  await cp(join(ROOT, "src/agent-tty/render/fonts"), join(NEW, "fonts"), { recursive: true });
  await mkdir(join(NEW, "player"));
  const player = createRequire(import.meta.url).resolve(
    "asciinema-player/dist/bundle/asciinema-player.min.js",
  );
  bundled.add("node_modules/asciinema-player/package.json");
  await cp(player, join(NEW, "player", "asciinema-player.min.js"));
  await cp(join(dirname(player), "asciinema-player.css"), join(NEW, "player", "asciinema-player.css"));
}

/** Writes compressed copies next to a file, at a higher level than the board could afford per request (B6). */
async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(bytes)),
    writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })),
  ]);
}

/** Builds a program as parts, of which each command loads a few; `door` is the path of its entry point below src. */
async function parts(name: string, door: string): Promise<void> {
  const modules = join(NEW, "modules");
  await bundle({
    ...PROGRAM_OPTIONS,
    banner: {},
    plugins: [WITH_EMULATOR, LATE_SEGMENTER],
    splitting: true,
    entryPoints: { [name]: join(ROOT, "src", door) },
    outdir: modules,
  });
  await build({
    ...COMMON_JS_OPTIONS,
    plugins: [COMMON_JS_PARTS],
    entryPoints: (await readdir(modules)).map((file) => join(modules, file)),
    outdir: NEW,
    outExtension: { ".js": ".cjs" },
  });
  await rm(modules, { recursive: true });
}

/** Writes the file that npm starts, and the file that loads the bundles; `load` is the path of its source below src. */
async function binary(name: string, load: string): Promise<void> {
  const loader = `bin/${name}-load.cjs`;
  await bundle({ ...COMMON_JS_OPTIONS, entryPoints: [join(ROOT, "src", load)], outfile: join(NEW, loader) });
  await writeFile(join(NEW, `${name}.js`), `#!/usr/bin/env node\nimport "./${loader}";\n`, { mode: 0o755 });
  await writeFile(join(NEW, `bin/${name}.cjs`), guardSource(name, `./${name}-load.cjs`), { mode: 0o755 });
}

async function buildPage(): Promise<void> {
  await bundle(PAGE);
  await bundle(TERMINAL);
  const built = ["start.js", "board.js", "terminal.js", "wide-characters.js", "board.css"].map((name) =>
    join(NEW, "board", name),
  );
  await Promise.all(built.map(compress));
  const page = join(ROOT, "src/board/page");
  await cp(join(page, "page.html"), join(NEW, "board", "index.html"));
  await cp(join(page, "board.svg"), join(NEW, "board", "board.svg"));
}
