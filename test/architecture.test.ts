import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "src");

/**
 * The index files of this project that each folder may import. A folder that is not listed may not exist; `a/b` overrides `a`.
 */
const FOLDERS: Record<string, readonly string[]> = {
  "agent-tty": [],
  layout: [],
  tui: ["agent-tty", "agent-tty/kit"],
  workspaces: ["agent-tty", "agent-tty/kit"],
  github: ["agent-tty/kit"],
  runs: ["agent-tty", "agent-tty/kit", "tui"],
  store: ["agent-tty/kit", "runs"],
  duplicates: ["agent-tty/kit", "github", "store"],
  trust: ["agent-tty/kit", "store"],
  notation: ["github"],
  evidence: ["agent-tty", "agent-tty/kit", "workspaces", "github"],
  triage: [
    "agent-tty",
    "agent-tty/kit",
    "tui",
    "workspaces",
    "github",
    "runs",
    "store",
    "evidence",
    "duplicates",
    "trust",
    "notation",
  ],
  backtest: ["agent-tty/kit", "github", "store", "trust", "triage"],
  sweep: ["agent-tty/kit", "runs", "workspaces", "github", "evidence", "triage"],
  fleet: ["agent-tty/kit", "github", "store", "workspaces", "triage"],
  demo: ["layout", "agent-tty", "agent-tty/kit", "workspaces", "github", "triage"],
  release: ["agent-tty", "agent-tty/kit", "github"],
  home: ["agent-tty", "agent-tty/kit", "github", "runs", "store", "duplicates", "triage", "workspaces"],
  config: ["agent-tty/kit", "notation", "github", "trust", "triage", "home"],
  retention: ["agent-tty", "agent-tty/kit", "github", "store", "triage", "workspaces", "home"],
  doctor: ["agent-tty", "agent-tty/kit", "tui", "workspaces", "github", "store", "triage", "home", "config"],
  init: ["github", "triage"],
  board: ["agent-tty", "agent-tty/kit", "runs"],
  // The page runs in a browser: it may import nothing that needs Node.
  "board/page": ["agent-tty/limits"],
  "board/source": [
    "agent-tty",
    "agent-tty/kit",
    "tui",
    "workspaces",
    "github",
    "runs",
    "duplicates",
    "store",
    "evidence",
    "triage",
    "home",
    "trust",
  ],
  cli: [
    "layout",
    "agent-tty",
    "agent-tty/bundle",
    "agent-tty/kit",
    "tui",
    "workspaces",
    "github",
    "runs",
    "store",
    "duplicates",
    "evidence",
    "trust",
    "triage",
    "sweep",
    "fleet",
    "backtest",
    "demo",
    "release",
    "notation",
    "home",
    "config",
    "retention",
    "doctor",
    "init",
    "board",
  ],
};

/** The same for the folders of the engine: a folder imports only folders that are listed before it. */
const ENGINE_FOLDERS = [
  "bundle",
  "kit",
  "processes",
  "pty",
  "home",
  "log",
  "limits",
  "screen",
  "render",
  "run",
  "wait",
  "replay",
  "capture",
  "painting",
  "protocol",
  "host",
  "daemon",
  "lifecycle",
  "cli",
  "testing",
];

/** Time, randomness and ids are injected (Clock, Ids of agent-tty/kit); these names would bypass the injection. */
const AMBIENT =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\bprocess\.hrtime|(?<![.\w])setTimeout\(|(?<![.\w])setInterval\(|\brandomUUID\(|\brandomBytes\(/;

interface SourceFile {
  path: string;
  text: string;
  imports: string[];
}

const files = sourceFiles(SOURCE);

test("every import goes through an index file that the import table allows", () => {
  expect(files.flatMap(importViolations)).toEqual([]);
});

/** The kit, its replacement in the browser, and programs that do not run in a process of ours. */
const OUTSIDE =
  /^(?:agent-tty\/(?:kit|testing)\/|board\/page\/browser\/clock\.ts$|evidence\/javascript-layer\/)/;

test("modules of our processes, outside kit and testing, do not read ambient time or randomness", () => {
  const offenders = files
    .filter((file) => !OUTSIDE.test(file.path))
    .flatMap((file) =>
      file.text
        .split("\n")
        .flatMap((line, index) =>
          AMBIENT.test(line)
            ? [`src/${file.path}:${index + 1} ${line.trim()} (inject Clock or Ids instead)`]
            : [],
        ),
    );
  expect(offenders).toEqual([]);
});

test("the engine describes its documents with zod/mini: every command loads it (P1)", () => {
  const offenders = files.filter(
    ({ path, imports }) => path.startsWith("agent-tty/") && imports.includes("zod"),
  );
  expect(offenders.map(({ path }) => `src/${path}: import * as z from "zod/mini" instead`)).toEqual([]);
});

/** Ways to turn text into markup or code. */
const MARKUP =
  /\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|DOMParser|createContextualFragment|srcdoc|\beval\(|new Function\b|javascript:/;

test("the board's page turns text into neither markup nor code (S10)", () => {
  const offenders = files.filter(({ path, text }) => path.startsWith("board/page/") && MARKUP.test(text));
  expect(offenders.map(({ path }) => `src/${path}: show it as a text node instead`)).toEqual([]);
});

test("the board's page imports only types from the API, and nothing from the server", () => {
  const page = files.filter(({ path }) => path.startsWith("board/page/"));
  expect(page.length).toBeGreaterThan(50);
  const offenders = page.filter(({ text }) =>
    /^import (?!type )[^;]*?"(?:\.\.\/)+(?:api|server)\//m.test(text),
  );
  expect(offenders.map(({ path }) => `src/${path}: import type, or zod ends up in the browser`)).toEqual([]);
});

test("ARCHITECTURE.md names only files and folders that exist", () => {
  const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
  const named = [...page.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the checks detect a violation", () => {
  const bad = (path: string, specifier: string): SourceFile => ({ path, text: "", imports: [specifier] });
  expect(importViolations(bad("github/x.ts", "../triage/index.ts"))).toHaveLength(1);
  expect(importViolations(bad("triage/x.ts", "../github/markers.ts"))).toHaveLength(1);
  expect(importViolations(bad("agent-tty/pty/x.ts", "../host/index.ts"))).toHaveLength(1);
  expect(importViolations(bad("cli/x.ts", "agent-tty/host/index.ts"))).toHaveLength(1);
  expect(AMBIENT.test("const now = Date.now();")).toBe(true);
  expect(MARKUP.test("element.innerHTML = title;")).toBe(true);
});

function importViolations(file: SourceFile): string[] {
  const [folder = "", subfolder = ""] = file.path.split("/");
  const allowed = FOLDERS[`${folder}/${subfolder}`] ?? FOLDERS[folder];
  if (allowed === undefined) return [`src/${folder} is not in the import table of test/architecture.test.ts`];
  return file.imports.flatMap((specifier) => {
    const reason = specifier.startsWith(".")
      ? relativeViolation(file.path, specifier, allowed)
      : packageViolation(folder, specifier, allowed);
    return reason === null ? [] : [`src/${file.path} imports "${specifier}": ${reason}`];
  });
}

function packageViolation(folder: string, specifier: string, allowed: readonly string[]): string | null {
  if (specifier === "afk-triage" || specifier.startsWith("afk-triage/"))
    return "import the folder's door instead";
  if (specifier !== "agent-tty" && !specifier.startsWith("agent-tty/")) return null;
  if (allowed.includes(specifier)) return null;
  return `${folder} may import ${allowed.join(", ") || "nothing of ours"}; the engine's doors are agent-tty and agent-tty/kit`;
}

function relativeViolation(importer: string, specifier: string, allowed: readonly string[]): string | null {
  const target = normalize(join(dirname(importer), specifier));
  if (target.endsWith(".json")) return null;
  const [from = "", to = ""] = [importer.split("/")[0], target.split("/")[0]];
  if (from !== to) {
    if (to === "agent-tty") return 'import the package "agent-tty" or "agent-tty/kit" instead';
    if (!allowed.includes(to)) return `${from} may not import ${to}: move the shared part down`;
    return target === `${to}/index.ts` ? null : `go through the door src/${to}/index.ts`;
  }
  return from === "agent-tty" ? engineViolation(importer, target) : subfolderViolation(importer, target);
}

function engineViolation(importer: string, target: string): string | null {
  const [from, to] = [importer.split("/")[1] ?? "", target.split("/")[1] ?? ""];
  if (from === to || importer === "agent-tty/index.ts") return null;
  if (target !== `agent-tty/${to}/index.ts`) return `go through the door src/agent-tty/${to}/index.ts`;
  const isBelow =
    ENGINE_FOLDERS.indexOf(to) !== -1 && ENGINE_FOLDERS.indexOf(to) < ENGINE_FOLDERS.indexOf(from);
  return isBelow ? null : `inside the engine the order is ${ENGINE_FOLDERS.join(" < ")}`;
}

/** Subfolders (workspaces/coder …) have index files too; a subfolder may import the files of the folder above it directly. */
function subfolderViolation(importer: string, target: string): string | null {
  const targetFolder = dirname(target);
  const isOwnOrAbove = `${dirname(importer)}/`.startsWith(`${targetFolder}/`);
  return isOwnOrAbove || target.endsWith("/index.ts")
    ? null
    : `go through the door src/${targetFolder}/index.ts`;
}

function sourceFiles(directory: string): SourceFile[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("node_modules"))
    .map((path) => {
      const text = readFileSync(join(directory, path), "utf8");
      const imports = [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
      return { path: relative(directory, join(directory, path)), text, imports };
    });
}
