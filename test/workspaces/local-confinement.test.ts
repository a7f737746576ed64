import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { ReadyWorkspace } from "../../src/workspaces/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { createdWorkspace, localProvider, localSubject } from "./local-subject.ts";

const { signal } = new AbortController();
const path = process.env["PATH"] ?? "";
afterEach(() => {
  process.env["PATH"] = path;
  vi.unstubAllEnvs();
});

test("core, file size, open files and CPU time are limited, and memory is not (S11)", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const limits = await stdoutOf(ready, "for limit in c f n t; do ulimit -$limit; done; node -p 40+2");
  expect(limits.trim().split("\n")).toEqual(["0", "1048576", "1024", "900", "42"]);
  const filled = await ready.exec("truncate -s 2G huge", { timeoutMs: 20_000 });
  expect(filled).toMatchObject({
    type: "exited",
    exitCode: expect.not.toSatisfy((code) => code === 0) as number,
  });
  await subject.provider.destroy(workspace, signal);
});

test("a user who is not root may start 512 more threads than already run (S11)", async () => {
  await using directory = await temporaryDirectory();
  await writeFile(join(directory.path, "ps"), "#!/bin/sh\nprintf ' 3\\n40\\n'\n", { mode: 0o755 });
  process.env["PATH"] = `${directory.path}:${path}`;
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  using user = vi.spyOn(process, "getuid").mockReturnValue(1_000);
  expect(await stdoutOf(ready, "ulimit -u")).toBe("555\n");
  user.mockRestore();
  await subject.provider.destroy(workspace, signal);
});

test("a command line runs in the bash that sets its limits, without arguments (A29)", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const own = `mapfile -d '' -t own <"/proc/$BASHPID/cmdline"; echo "\${own[3]:0:9} $0 $#"`;
  const line = `${own}; trap 'echo end; exit 3' EXIT; set -e; false; echo no`;
  const result = await ready.exec(line, { timeoutMs: 20_000 });
  const stdout = Buffer.from("ulimit -c bash 0\nend\n");
  expect(result).toMatchObject({ type: "exited", exitCode: 3, stdout });
  await subject.provider.destroy(workspace, signal);
});

test("a command of the parent does not read start files that were left in the home (S12)", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  await stdoutOf(
    ready,
    'for f in .bashrc .bash_profile .profile; do echo "echo poisoned; exit 1" >"$HOME/$f"; done',
  );
  const result = await ready.exec("cat", { timeoutMs: 20_000, stdin: Buffer.from("clean\n") });
  expect(result).toMatchObject({ type: "exited", exitCode: 0, stdout: Buffer.from("clean\n") });
  await subject.provider.destroy(workspace, signal);
});

test("the environment is a short, fixed list of variables (S8)", async () => {
  process.env["PATH"] = ["relative/bin", "/somewhere/node_modules/.bin", path].join(":");
  const certificates = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR", "SSL_CERT_FILE"];
  vi.stubEnv("NODE_EXTRA_CA_CERTS", "/certificates.pem");
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const lines = (await stdoutOf(ready, "env -u _ -u PWD -u SHLVL")).trim().split("\n");
  const environment = Object.fromEntries(
    lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  const names = Object.keys(environment).filter((name) => !certificates.includes(name));
  expect(certificates.map((name) => environment[name])).toEqual(
    certificates.map((name) => process.env[name]),
  );
  expect(names.sort()).toEqual([
    "AFK_TRIAGE_WORKSPACE_ID",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_TERMINAL_PROMPT",
    "HOME",
    "LANG",
    "LOGNAME",
    "NPM_CONFIG_CACHE",
    "NPM_CONFIG_GLOBALCONFIG",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "USER",
  ]);
  expect(environment["HOME"]).not.toBe(homedir());
  expect(environment["AFK_TRIAGE_WORKSPACE_ID"]).toBe(workspace.id);
  expect(environment["PATH"]?.split(":")).not.toContain("relative/bin");
  expect(environment["PATH"]?.split(":")).not.toContain("/somewhere/node_modules/.bin");
  expect(await stdoutOf(ready, '[ -w "$HOME" ] && [ -w "$TMPDIR" ] && git config --list')).toBe("");
  await subject.provider.destroy(workspace, signal);
});

test("an aborted command is ended and rejects with the abort's reason", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const stop = new AbortController();
  const running = ready.exec("touch up; sleep 3000", { timeoutMs: 60_000, signal: stop.signal });
  await ready.exec("until [ -e up ]; do sleep 0.05; done", { timeoutMs: 20_000 });
  stop.abort(new Error("second SIGINT"));
  await expect(running).rejects.toThrow("second SIGINT");
  await subject.provider.destroy(workspace, signal);
  await expect(workspace.ready(signal, () => {})).rejects.toMatchObject({ code: "WORKSPACE_LOST" });
});

test("a root that cannot be created is refused with a remedy (S17)", async () => {
  await using directory = await temporaryDirectory();
  const provider = localProvider(join("/dev/null", directory.path), "here/1/1");
  await expect(provider.preflight(signal)).rejects.toMatchObject({
    code: "LOCAL_PROVIDER_UNAVAILABLE",
    remedy: expect.stringContaining("--home") as string,
  });
});

async function stdoutOf(ready: ReadyWorkspace, commandLine: string): Promise<string> {
  const result = await ready.exec(commandLine, { timeoutMs: 20_000 });
  if (result.type !== "exited") throw new Error(`${commandLine}: ${result.type}`);
  return Buffer.from(result.stdout).toString();
}
