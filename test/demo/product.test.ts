import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { createProductRepository } from "../../src/demo/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const template = join(import.meta.dirname, "../../templates/demo-product");
const never = new AbortController().signal;

test("the demo's product is the same repository every time, even if git variables are set", async () => {
  await using directory = await temporaryDirectory();
  const first = await createProductRepository({ template, directory: join(directory.path, "a") }, never);
  process.env["GIT_AUTHOR_NAME"] = "Somebody Else";
  try {
    const second = await createProductRepository({ template, directory: join(directory.path, "b") }, never);
    expect(second.head).toBe(first.head);
  } finally {
    delete process.env["GIT_AUTHOR_NAME"];
  }
  expect(first.head).toMatch(/^[0-9a-f]{40}$/);
});

test("the demo's product can be cloned, has a history, contains the whole template and passes its own tests", async () => {
  await using directory = await temporaryDirectory();
  const product = await createProductRepository({ template, directory: join(directory.path, "p") }, never);
  const clone = join(directory.path, "clone");
  await execa("git", ["clone", "-q", product.cloneUrl, clone]);

  const log = await execa("git", ["log", "--format=%an %aI %s"], { cwd: clone });
  expect(log.stdout.split("\n")).toHaveLength(7);
  expect(log.stdout).toContain("Mira Okafor 2025-01-20T08:15:00+01:00 Release 1.4.0");

  const files = (await execa("git", ["ls-files"], { cwd: clone })).stdout.split("\n");
  const wanted = (await readdir(template, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1));
  expect(files.sort()).toEqual(wanted.sort());

  const tests = await execa("npm", ["test", "--", "--test-reporter=tap"], {
    cwd: clone,
    extendEnv: false,
    env: { PATH: process.env["PATH"], HOME: directory.path, TMPDIR: directory.path },
  });
  expect(tests.stdout).toMatch(/^# fail 0$/m);
});

test("an error about a product that cannot be generated has a remedy", async () => {
  await using directory = await temporaryDirectory();
  const request = { template: join(directory.path, "missing"), directory: join(directory.path, "p") };
  await expect(createProductRepository(request, never)).rejects.toMatchObject({
    code: "DEMO_PRODUCT_FAILED",
    remedy: expect.stringContaining("git"),
  });
  const stop = AbortSignal.abort(new Error("stopped"));
  await expect(createProductRepository({ ...request, template }, stop)).rejects.toThrow("stopped");
});
