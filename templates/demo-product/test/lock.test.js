import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withLock } from "../src/lock.js";

const home = mkdtempSync(join(tmpdir(), "tidytext-"));
process.env.HOME = home;
after(() => rmSync(home, { recursive: true, force: true }));

test("withLock returns what the task returns", async () => {
  assert.equal(await withLock("report", () => 42), 42);
});

test("withLock refuses a lock that is held", async () => {
  await withLock("outer", async () => {
    await assert.rejects(
      withLock("outer", () => 1),
      /outer is locked/,
    );
  });
});
