import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { pruneCommand } from "../../src/cli/commands/prune-command.ts";
import { recordedOutput } from "../support/cli/recorded-output.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

afterEach(() => void vi.unstubAllEnvs());

/** GitHub where every issue was deleted, and an App is installed everywhere. */
async function startGithub(): Promise<AsyncDisposable & { url: string; asked: string[] }> {
  const asked: string[] = [];
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const isIssue = path.includes("/issues/");
    if (isIssue) asked.push(path);
    response.writeHead(isIssue ? 410 : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isIssue ? {} : { id: 1, token: "ghs_1", expires_at: expires, permissions: {} }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const privateKey = generateKeyPairSync("rsa", { modulusLength: 2_048 })
  .privateKey.export({ type: "pkcs1", format: "pem" })
  .toString();

test.each<[string, Record<string, string>]>([
  ["a token", { GITHUB_TOKEN: "ghp_1", AFK_TRIAGE_APP_ID: "", AFK_TRIAGE_APP_PRIVATE_KEY: "" }],
  ["an App", { GITHUB_TOKEN: "", AFK_TRIAGE_APP_ID: "7", AFK_TRIAGE_APP_PRIVATE_KEY: privateKey }],
])(
  "prune with %s asks for the issues of a home whose store knows no batch, as one that fleet workers share (F7)",
  async (_, credential) => {
    await using directory = await temporaryDirectory();
    await using github = await startGithub();
    const home = join(directory.path, "home");
    const environment = { ...credential, GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "" };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const config = join(directory.path, "config.yml");
    await writeFile(config, "");
    for (const name of ["o__r", "other__r"]) {
      const file = join(home, "checkpoints", name, "1.json");
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, "text");
      const then = new Date(Date.now() - 200 * 86_400_000);
      await utimes(file, then, then);
    }
    const output = recordedOutput();
    expect(await pruneCommand({ home, config, dryRun: true }, output)).toBe(0);
    expect(github.asked).toEqual(["/repos/o/r/issues/1", "/repos/other/r/issues/1"]);
    expect(output.documents).toMatchObject([{ removed: 2, kept: [] }]);
  },
);

test("a prune of a home that does not exist creates no home, and says so", async () => {
  await using directory = await temporaryDirectory();
  vi.stubEnv("GITHUB_TOKEN", "");
  const config = join(directory.path, "config.yml");
  await writeFile(config, "");
  const home = join(directory.path, "mistyped");
  const output = recordedOutput();
  expect(await pruneCommand({ home, config, dryRun: true }, output)).toBe(0);
  expect(existsSync(home)).toBe(false);
  expect(output.documents).toMatchObject([{ removed: 0, leftBytes: 0, kept: [] }]);
  expect(output.lines.join("\n")).toContain(`there is no home ${home}`);
});
