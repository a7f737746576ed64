import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { openHome } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const clock = systemClock;
const ids = systemIds(clock);

test("a home that another user owns is refused and left untouched (S17)", async () => {
  await using root = await temporaryDirectory();
  const directory = join(root.path, "foreign");
  await openHome({ directory, clock, ids });
  const before = await stat(directory);
  const userId = (process.getuid?.() ?? 0) + 1;
  await expect(openHome({ directory, clock, ids, userId })).rejects.toMatchObject({
    code: "HOME_REFUSED",
    message: expect.stringContaining(`we are user ${userId}`) as string,
  });
  const after = await stat(directory);
  expect([after.mode, after.mtimeMs]).toEqual([before.mode, before.mtimeMs]);
});

test("a Session's directory is complete and private when it appears (S17)", async () => {
  await using root = await temporaryDirectory();
  const home = await openHome({ directory: join(root.path, "home"), clock, ids });
  const directory = await home.createSessionDirectory(ids.ulid());
  expect((await readdir(directory)).toSorted()).toEqual(["artifacts", "owner.json"]);
  const modes = await Promise.all(
    ["", "artifacts", "owner.json"].map(async (name) => (await stat(join(directory, name))).mode & 0o777),
  );
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});
