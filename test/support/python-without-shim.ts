import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/**
 * Puts the directory of the Python that `python3` starts on PATH, in front of pyenv's shim for it. The shim is a bash script that
 * looks the version up at every start: 10 starts took 1.05 s of processor time with it and 0.42 s without it. Nothing changes if
 * python3 is no script or if PATH has the directory already.
 */
export default function setup(): (() => void) | undefined {
  const before = process.env["PATH"] ?? "";
  const entries = before.split(delimiter);
  const found = entries.map((entry) => join(entry, "python3")).find((path) => existsSync(path));
  if (found === undefined || readFileSync(found).toString("latin1", 0, 2) !== "#!") return undefined;
  const directory = dirname(
    execFileSync(found, ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim(),
  );
  if (entries.includes(directory)) return undefined;
  process.env["PATH"] = [directory, ...entries].join(delimiter);
  return () => {
    process.env["PATH"] = before;
  };
}
