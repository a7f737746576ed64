import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { engine } from "../engine-fixture.ts";

const LIST_DESCRIPTORS = ["-c", "ls -l /proc/self/fd; ls -l /proc/$$/fd"];

test.runIf(process.platform === "linux")(
  "a program inherits neither another Session's terminal nor that of its own host (S17)",
  async () => {
    await using started = await engine();
    await using first = await started.create({ command: ["cat"] });
    await using second = await started.create({ command: ["ls", "-l", "/proc/self/fd"] });
    await using third = await started.create({ command: ["sh", ...LIST_DESCRIPTORS] });
    await Promise.all([second.exited, third.exited]);
    const { stdout } = await promisify(execFile)("sh", LIST_DESCRIPTORS);
    const seen = [
      (await second.snapshot()).visibleLines.join("\n"),
      (await third.snapshot()).visibleLines.join("\n"),
      stdout,
    ];
    for (const listing of seen) expect(listing).toContain("/proc/");
    for (const listing of seen) expect(listing).not.toContain("ptmx");
    expect(first.status()).toBe("running");
  },
);
