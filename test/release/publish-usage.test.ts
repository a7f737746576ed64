import { join } from "node:path";
import { execa } from "execa";
import { expect, test, vi } from "vitest";

// The test starts tsx, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const ROOT = join(import.meta.dirname, "../..");

test("release:publish ends with 2 and one line after a usage error (A25)", async () => {
  const rows: [string[], RegExp][] = [
    [[], /^release:publish: no tag: name it with --tag v1\.2\.3/],
    [["--tga", "v1.0.0"], /^release:publish: Unknown option '--tga'/],
    [
      ["--tag", "v1.0.0", "--until", "later"],
      /^release:publish: --until: expected validate, package, publish, got later$/,
    ],
  ];
  for (const [args, says] of rows) {
    const { exitCode, stdout, stderr } = await execa(
      process.execPath,
      ["--import", "tsx", "scripts/release-publish.ts", ...args],
      { cwd: ROOT, reject: false, env: { GITHUB_REF_NAME: "" } },
    );
    expect({ exitCode, stdout, lines: stderr.split("\n").length }).toEqual({
      exitCode: 2,
      stdout: "",
      lines: 1,
    });
    expect(stderr).toMatch(says);
  }
});
