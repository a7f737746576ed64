import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documents, ROOT } from "./documented-commands.ts";

const FOLDER = join(ROOT, "docs/adr");
const pages = readdirSync(FOLDER).filter((name) => name !== "README.md");
const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");

interface IndexRow {
  number: number;
  file: string;
  title: string;
  status: string;
}

const index: IndexRow[] = [
  ...read("README.md").matchAll(/^- \[(\d+)\]\(([^)]+)\) (.+?)(?: \((.*superseded by .*)\))?$/gm),
].map(([, number, file, title, status]) => ({
  number: Number(number),
  file: file ?? "",
  title: title ?? "",
  status: status ?? "accepted",
}));

test("each ADR has a number of its own, which its file name and its heading share", () => {
  const numbers = pages.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]));
  expect(numbers).toEqual([...new Set(numbers)]);
  const headings = pages.map((name) => Number(/^# (\d+)\. /.exec(read(name))?.[1]));
  expect(headings).toEqual(numbers);
});

test("the index of decisions lists each ADR once, in order, with its title", () => {
  const expected = pages.toSorted().map((file) => {
    const [, number, title] = /^# (\d+)\. (.+)/.exec(read(file)) ?? [];
    return { number: Number(number), file, title };
  });
  expect(index.map(({ number, file, title }) => ({ number, file, title }))).toEqual(expected);
});

test("the index marks an ADR as superseded when a later one says that it replaces or changes it", () => {
  for (const file of pages) {
    const status = /^\*\*Status:\*\*.*/m.exec(read(file))?.[0] ?? "";
    if (!/\b(?:replaces|changes|supersedes)\b/i.test(status)) continue;
    for (const [, older] of status.matchAll(/\[ADR (\d+)\]/g)) {
      const row = index.find(({ number }) => number === Number(older));
      expect(row?.status).toContain(`superseded by [ADR ${Number(file.slice(0, 4))}](${file})`);
    }
  }
});

test("each link to an ADR names the page that has its number", () => {
  const sources = [
    ...[...documents(), "ARCHITECTURE.md", "CONTEXT.md"].map((file) =>
      readFileSync(join(ROOT, file), "utf8"),
    ),
    ...pages.map(read),
    read("README.md"),
  ];
  const link = /\[ADR (\d+)\]\((?:[./]*docs\/adr\/|adr\/|[./]*)(\d{4}-[^)]+)\)/g;
  const links = [...sources.join("\n").matchAll(link)];
  expect(links.length).toBeGreaterThan(30);
  for (const [, number, file] of links) {
    expect(pages).toContain(file);
    expect(Number(file?.slice(0, 4))).toBe(Number(number));
  }
});
