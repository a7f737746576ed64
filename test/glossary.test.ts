import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** Terms that CONTEXT.md forbids everywhere. */
const AVOIDED = /\b(?:blocking runs?|visual waits?|settled screens?|bot triage|triage rounds?)\b/gi;

/** The qualified forms, and names that merely contain the words. Every other "agent" or "workspace" is bare. */
const QUALIFIED = [
  /\bTriage Agents?\b/g,
  /\bAgent Firewall\b/g,
  /\bCoder workspace agents?\b/g,
  /\bCoder workspaces?\b/gi,
  /\bimplementation agents?\b/gi,
  /\bcoding-agent\b/gi,
  /\bagents' skill format\b/g,
  /\bnpm workspaces?\b/gi,
  /\b(?:ready-for|user)-agent\b/gi,
  /\bagent-(?:tty|ready)\b/g,
  /\[Coder\] workspaces?\b/g,
  /"(?:agent|workspace)"/g,
  /--triage-agent\b|\b(?:own-)?(?:triage-)?agent\.(?:mjs|md)\b/g,
];

interface Offence {
  file: string;
  line: number;
  text: string;
}

test("code, documents and messages use none of the avoided terms (A34)", () => {
  const files = [...prose(), ...shippedFiles(), ...below("src", ".ts"), ...below("src", ".tsx")].filter(
    (file) => file !== "CONTEXT.md",
  );
  expect(files.flatMap((file) => offences(file, read(file), (line) => AVOIDED.test(line)))).toEqual([]);
});

test("documents always qualify Coder workspace, Coder workspace agent and Triage Agent (A34)", () => {
  const files = prose().filter((file) => file !== "CONTEXT.md");
  expect(files.flatMap((file) => offences(file, withoutCode(read(file)), isBare))).toEqual([]);
});

test("messages in the code and in shipped files qualify these terms, too (A34)", () => {
  const messages = [...below("src", ".ts"), ...below("src", ".tsx")].flatMap((file) =>
    offences(file, messagesOnly(read(file)), isBare),
  );
  const comments = shippedFiles().flatMap((file) => offences(file, commentsOnly(read(file)), isBare));
  expect([...messages, ...comments]).toEqual([]);
});

test("the check finds a bare word (A34)", () => {
  const text = "The agent starts.\nA Triage Agent starts `agent.mjs`.\nThe workspace\nis a Coder workspace.";
  expect(offences("x.md", withoutCode(text), isBare).map(({ line }) => line)).toEqual([1, 3]);
  const code = 'const agent = 1;\nfail("the agent died");\nfail(`a ${agent} of the\n workspace`);';
  expect(offences("x.ts", messagesOnly(code), isBare).map(({ line }) => line)).toEqual([2, 4]);
  const shipped = 'agent: 1 # the agent\ndescription = "the workspace"\n# a Triage Agent';
  expect(offences("x.tf", commentsOnly(shipped), isBare).map(({ line }) => line)).toEqual([1, 2]);
  expect(offences("x.ts", "a visual wait", (line) => AVOIDED.test(line))).toHaveLength(1);
});

function prose(): string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith(".md"));
  const folders = ["docs", "src", "skills", "templates", "coder", ".github"];
  return [...top, ...folders.flatMap((folder) => below(folder, ".md"))];
}

/** Returns the files, other than prose, that users receive or run: templates, Coder workspace templates, workflows. */
function shippedFiles(): string[] {
  const endings = [".yml", ".yaml", ".tf", ".sh", "Dockerfile"];
  return ["templates", "coder", ".github"].flatMap((folder) =>
    endings.flatMap((ending) => below(folder, ending)),
  );
}

/** Returns only the strings of at least two words; code in them keeps its own names. Line numbers do not change. */
function messagesOnly(text: string): string {
  return keepLines(text, /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g, (found) => {
    const said = found.replaceAll(/\$\{[^}]*\}/g, "").replaceAll(/\\`[^`]*\\`|(?<!^)`[^`]*`(?!$)/g, "");
    return /[A-Za-z]+ [a-z]+/.test(said) ? said : "";
  });
}

/** Returns only the `# comments`, descriptions and error messages. */
function commentsOnly(text: string): string {
  return keepLines(text, /(?<=^|\s)#.*$|\b(?:description|error_message|display_name)\s*[:=].*$/gm, (found) =>
    found.replaceAll(/`[^`\n]*`|"[a-z_./-]+"/g, ""),
  );
}

function keepLines(text: string, pattern: RegExp, keep: (found: string) => string): string {
  const lines = Array.from({ length: text.split("\n").length }, () => "");
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const first = text.slice(0, index).split("\n").length - 1;
    for (const [offset, line] of keep(found).split("\n").entries()) lines[first + offset] += ` ${line}`;
  }
  return lines.join("\n");
}

function below(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending) && !path.includes("node_modules"))
    .map((path) => join(folder, path));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** Removes code, which keeps its own names; blank lines preserve the line numbers. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, (block) => block.replaceAll(/[^\n]/g, ""))
    .replaceAll(/`[^`\n]*`/g, "")
    .replaceAll(/\]\([^)]*\)/g, "]");
}

function isBare(line: string): boolean {
  return /\b(?:agents?|workspaces?)\b/i.test(
    QUALIFIED.reduce((rest, form) => rest.replaceAll(form, ""), line),
  );
}

/** Checks the text line by line; a qualifier at the end of the previous line still counts. */
function offences(file: string, text: string, isOffence: (line: string) => boolean): Offence[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    AVOIDED.lastIndex = 0;
    const opening = /\b(?:Triage|Coder|Coder workspace|implementation)$/i.exec(lines[index - 1] ?? "");
    const whole = opening === null ? line : `${opening[0]} ${line.trimStart()}`;
    return isOffence(whole) ? [{ file, line: index + 1, text: line }] : [];
  });
}
