import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { findSecrets } from "./canary.ts";

const SECRET = "a-secret-of-the-parent-42";

async function check(carried: string, expected: string | null): Promise<void> {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "events.bin");
  await writeFile(file, `\0\xff before ${carried} after`, "latin1");
  const texts = { "a comment": `x${carried}` };
  const places = [`key (${expected}) in a comment`, `key (${expected}) in ${file}`];
  expect(await findSecrets({ key: SECRET }, { directory: directory.path, texts })).toEqual(
    expected === null ? [] : places,
  );
}

test("a secret is found in every encoding in which it could leak (S8)", async () => {
  const reversed = "24-tnerap-eht-fo-terces-a";
  await check(SECRET, "plain");
  await check(reversed, "reversed");
  await check(Buffer.from(SECRET).toString("hex"), "hex");
  await check(Buffer.from(SECRET).toString("base64"), "base64+0");
  await check(Buffer.from(`A=${SECRET};B=1`).toString("base64"), "base64+2");
  await check(Buffer.from(`TOKEN=${SECRET}\n`).toString("base64"), "base64+0");
  await check("nothing of the kind", null);
});
