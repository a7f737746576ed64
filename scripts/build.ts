import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build, type BuildOptions } from "esbuild";
import { COMMON_JS_OPTIONS, PROGRAM_OPTIONS, WITH_EMULATOR } from "./bundling.ts";
import { manualPage } from "./manual-page.ts";
import { thirdPartyNotices } from "./third-party-notices.ts";
import { guardSource, loadSource } from "../src/cli/node-guard.ts";
import { buildProgram } from "../src/cli/program.ts";
import { VERSION } from "../src/cli/version.ts";
import { scriptArguments } from "./script-arguments.ts";

/**
 * Bundles the binaries, the demo's Triage Agent and the board's page into dist/, or into the directory given; with `--engine`
 * only what belongs to agent-tty, with `--page` only the page. Natives and the emulated GitHub stay packages.
 */
const ROOT = join(import.meta.dirname, "..");
const { values, positionals } = scriptArguments(import.meta.url, {
  options: { engine: { type: "boolean", default: false }, page: { type: "boolean", default: false } },
  allowPositionals: true,
});
const OUT = resolve(positionals[0] ?? join(ROOT, "dist"));
/** Takes its place when everything is in it: a build that fails leaves the last one as it was. */
const NEW = `${OUT}.new`;
/** A client and a host process each load one file, with everything they need and nothing else. */
const CLIENT_DOOR = join(ROOT, "src/agent-tty/cli/main.ts");
const HOST_DOOR = join(ROOT, "src/agent-tty/daemon/host-process.ts");

const CLEANING_PROGRAM = join(ROOT, "src/triage/quarantine/cleaning/cleaning-program.ts");

const COMMON: BuildOptions = { ...PROGRAM_OPTIONS, outdir: NEW, splitting: true };

/** One classic script: a report is opened from file://, where module scripts do not run. */
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
  // The terminal emulator warns programmers on the console, which readers of the board do not see.
  drop: ["console"],
  charset: "utf8",
  logLevel: "warning",
};

/** The emulator's private names begin with an underscore, and nothing outside this script uses them: short ones save a sixth. */
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

/** Builds, and remembers which packages went into the bundle. */
async function bundle(options: BuildOptions): Promise<void> {
  const { metafile } = await build({ ...options, absWorkingDir: ROOT, metafile: true });
  for (const input of Object.keys(metafile.inputs)) bundled.add(input);
}

async function buildPrograms(): Promise<void> {
  const engine = { client: CLIENT_DOOR, host: HOST_DOOR };
  for (const [name, door] of Object.entries(engine))
    await bundle({
      ...COMMON_JS_OPTIONS,
      plugins: [WITH_EMULATOR],
      entryPoints: [door],
      outfile: join(NEW, `agent-tty-${name}.cjs`),
      // They are run as scripts, which import nothing.
      supported: { "dynamic-import": false },
    });
  await bundle({
    ...COMMON_JS_OPTIONS,
    entryPoints: [join(ROOT, "src/agent-tty/cli/agent-tty.ts")],
    outfile: join(NEW, "bin/agent-tty-load.cjs"),
  });
  await writeFile(join(NEW, "agent-tty.js"), '#!/usr/bin/env node\nimport "./bin/agent-tty-load.cjs";\n', {
    mode: 0o755,
  });
  if (!values.engine) {
    // One file as well: a thread of the parent, with nothing in memory but the search for secrets.
    await bundle({ ...COMMON, splitting: false, entryPoints: { "cleaning-program": CLEANING_PROGRAM } });
    await bundle({
      ...COMMON,
      entryPoints: {
        "afk-triage": join(ROOT, "src/cli/afk-triage.ts"),
        "coder-terminal": join(ROOT, "src/workspaces/coder/terminal/coder-terminal.ts"),
        "demo-triage-agent": join(ROOT, "src/demo/triage-agent/main.ts"),
      },
    });
    await chmod(join(NEW, "afk-triage.js"), 0o755);
  }

  await guard("agent-tty");
  if (!values.engine) {
    await guard("afk-triage");
    await writeFile(join(NEW, "bin/afk-triage-load.cjs"), loadSource("afk-triage"));
  }

  // Beside the bundle, where the engine looks for them: the fonts of screenshots and the player of HTML recordings.
  await cp(join(ROOT, "src/agent-tty/render/fonts"), join(NEW, "fonts"), { recursive: true });
  await mkdir(join(NEW, "player"));
  const player = createRequire(import.meta.url).resolve(
    "asciinema-player/dist/bundle/asciinema-player.min.js",
  );
  bundled.add("node_modules/asciinema-player/package.json");
  await cp(player, join(NEW, "player", "asciinema-player.min.js"));
  await cp(join(dirname(player), "asciinema-player.css"), join(NEW, "player", "asciinema-player.css"));
}

/** Compresses a file beside it, better than the board would take the time for (B6). */
async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(bytes)),
    writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })),
  ]);
}

async function guard(binary: string): Promise<void> {
  const bin = join(NEW, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, `${binary}.cjs`), guardSource(binary, `./${binary}-load.cjs`), { mode: 0o755 });
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
