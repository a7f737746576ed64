import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configurationReference } from "./configuration/reference.ts";

const FILE = join(import.meta.dirname, "../../docs/configuration.md");

test("docs/configuration.md matches the schemas (npm run docs:configuration)", async () => {
  expect(await readFile(FILE, "utf8")).toBe(configurationReference());
});
