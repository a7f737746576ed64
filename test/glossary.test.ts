import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** Terms that CONTEXT.md rules out, wherever they stand. */
const AVOIDED = /\b(?:blocking runs?|visual waits?|settled screens?|bot triage|triage rounds?)\b/gi;

/** The qualified forms, and names that merely contain the words. What is left of "agent" and "workspace" is bare. */
const QUALIFIED = [
  /\bTriage Agents?\b/g,
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
];

interface Offence {
  file: string;
  line: number;
  text: string;
}

test("A34: code, documents and messages use none of the avoided terms", () => {
  const files = [...prose(), ...below("src", ".ts")].filter((file) => file !== "CONTEXT.md");
  expect(files.flatMap((file) => offences(file, read(file), (line) => AVOIDED.test(line)))).toEqual([]);
});

test("A34: documents always qualify Coder workspace, Coder workspace agent and Triage Agent", () => {
  const files = prose().filter((file) => file !== "CONTEXT.md");
  expect(files.flatMap((file) => offences(file, withoutCode(read(file)), isBare))).toEqual([]);
});

test("A34: the check itself sees a bare word", () => {
  const text = "The agent starts.\nA Triage Agent starts `agent.mjs`.\nThe workspace\nis a Coder workspace.";
  expect(offences("x.md", withoutCode(text), isBare).map(({ line }) => line)).toEqual([1, 3]);
  expect(offences("x.ts", "a visual wait", (line) => AVOIDED.test(line))).toHaveLength(1);
});

function prose(): string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith(".md"));
  return [...top, ...below("docs", ".md"), ...below("src", ".md")];
}

function below(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending) && !path.includes("node_modules"))
    .map((path) => join(folder, path));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** Code keeps its own names; blank lines keep the line numbers. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ""))
    .replaceAll(/`[^`\n]*`/g, "")
    .replaceAll(/\]\([^)]*\)/g, "]");
}

function isBare(line: string): boolean {
  return /\b(?:agents?|workspaces?)\b/i.test(
    QUALIFIED.reduce((rest, form) => rest.replaceAll(form, ""), line),
  );
}

/** Line by line; a qualifier at the end of the line before still counts. */
function offences(file: string, text: string, isOffence: (line: string) => boolean): Offence[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    AVOIDED.lastIndex = 0;
    const opening = /\b(?:Triage|Coder|Coder workspace|implementation)$/i.exec(lines[index - 1] ?? "");
    const whole = opening === null ? line : `${opening[0]} ${line.trimStart()}`;
    return isOffence(whole) ? [{ file, line: index + 1, text: line }] : [];
  });
}
