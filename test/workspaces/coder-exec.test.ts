import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExecResult } from "../../src/workspaces/index.ts";
import { deployment, never, processesCarrying, ready } from "../support/coder/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const TIMEOUT = { timeoutMs: 20_000 };
const readable = (result: ExecResult): unknown =>
  result.type === "exited" ? { ...result, stdout: Buffer.from(result.stdout).toString() } : result;

test("the exit statuses 1 and 255 count as the command's own if the command reported them (coder failure 17, coder failure 23)", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  for (const exitCode of [0, 1, 229, 255])
    expect(readable(await shell.exec(`printf out; exit ${exitCode}`, TIMEOUT))).toEqual({
      type: "exited",
      exitCode,
      stdout: "out",
      stderr: "",
    });
  // Whether `timeout` works there is asked with the first command alone.
  const asks = subject.standIn.invocations().map(({ argv }) => argv.join(" ").includes("-k 5 5 true"));
  expect(asks.filter((one) => one)).toHaveLength(1);
});

test("a refused and a dropped exchange are repeated while the API reports the Coder workspace as running (T12, coder failure 16, coder failure 17)", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  subject.standIn.faults.sshSetupFailures = 2;
  expect(readable(await shell.exec("printf out", TIMEOUT))).toMatchObject({ exitCode: 0, stdout: "out" });
  expect(subject.standIn.faults.sshSetupFailures).toBe(0);
  const running = shell.exec("echo x >>~/begun; test $(wc -l <~/begun) -eq 2 || sleep 60", TIMEOUT);
  await shell.exec("until test -e ~/begun; do sleep 0.01; done", TIMEOUT);
  subject.standIn.dropSessions();
  expect(readable(await running)).toMatchObject({ exitCode: 0 });
});

test.each(["stop", "delete"] as const)(
  "an exchange is not repeated once the API reports that the Coder workspace has ended by %s (coder failure 18)",
  async (transition) => {
    await using subject = await deployment();
    const shell = await ready(subject.provider);
    const [record] = subject.standIn.state.workspaces;
    if (record === undefined) throw new Error("nothing was created");
    const running = shell.exec("touch ~/begun; sleep 60", TIMEOUT);
    await shell.exec("until test -e ~/begun; do sleep 0.01; done", TIMEOUT);
    subject.standIn.state.addBuild(record, transition);
    subject.standIn.dropSessions();
    expect(await running).toMatchObject({ type: "transport-lost" });
  },
);

test("an exchange that is lost again and again is ended by its signal (T12)", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  subject.standIn.faults.sshSetupFailures = Number.POSITIVE_INFINITY;
  const deadline = new AbortController();
  const running = shell.exec("true", { ...TIMEOUT, signal: deadline.signal });
  const starts = subject.standIn.invocations().length;
  await expect
    .poll(() => subject.standIn.invocations().length, { timeout: 20_000 })
    .toBeGreaterThan(starts + 3);
  deadline.abort(new Error("the run deadline"));
  await expect(running).rejects.toThrow("the run deadline");
});

test("a connection that hangs is abandoned long before the time limit of the command, and repeated (coder failure 22)", async () => {
  await using subject = await deployment({}, { timings: { connectTimeoutMs: 400 } });
  const shell = await ready(subject.provider);
  const before = subject.standIn.invocations().length;
  subject.standIn.configureCli({ hangs: true });
  const running = shell.exec("printf out", { timeoutMs: 600_000 });
  await expect
    .poll(() => subject.standIn.invocations().length, { timeout: 20_000 })
    .toBeGreaterThan(before + 1);
  subject.standIn.configureCli({ hangs: false });
  expect(readable(await running)).toMatchObject({ exitCode: 0, stdout: "out" });
});

test("a CLI that hangs is ended at the time limit (coder failure 22)", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  subject.standIn.configureCli({ hangs: true });
  expect(await shell.exec("true", { timeoutMs: 300 })).toEqual({ type: "timed-out", stderr: "" });
});

test("a command line reaches bash unchanged", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  const text = "a 'quoted' \"word\", $HOME, `date`, \\ and ü\nwith a second line -- -t";
  const line = `printf %s "$(cat)"; [[ -n $BASH_VERSION ]]`;
  expect(readable(await shell.exec(line, { ...TIMEOUT, stdin: Buffer.from(text) }))).toMatchObject({
    exitCode: 0,
    stdout: text,
  });
  const quoted = `printf %s 'it'"'"'s \\ "$x" ; # no comment'\nexit 4`;
  expect(readable(await shell.exec(quoted, TIMEOUT))).toMatchObject({
    exitCode: 4,
    stdout: 'it\'s \\ "$x" ; # no comment',
  });
});

test("output that looks like the report, or comes after it, counts as output", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  const line = "printf '\\nafk-00 0\\n'; exit 9";
  expect(readable(await shell.exec(line, TIMEOUT))).toMatchObject({ exitCode: 9, stdout: "\nafk-00 0\n" });
});

test("the CLI gets a scrubbed environment, and the token is never in argv (S8, coder failure 28)", async () => {
  await using subject = await deployment(
    {},
    {
      inheritedEnvironment: {
        PATH: process.env["PATH"],
        GITHUB_TOKEN: "canary-1",
        CODER_AGENT_TOKEN: "canary-2",
        CODER_SSH_ENV: "A=canary-3",
        CODER_TEMPLATE_NAME: "canary-4",
        HOME: "/canary-5",
      },
    },
  );
  const shell = await ready(subject.provider);
  await shell.exec("true", TIMEOUT);
  const { command, env, cwd } = shell.terminal({ rcFile: "/dev/null" });
  const starts = [...subject.standIn.invocations(), { argv: [...command], env }];
  expect(starts.length).toBeGreaterThan(3);
  for (const { argv, env } of starts) {
    expect(argv.join(" ")).not.toContain(subject.standIn.token);
    expect(env).toEqual({
      PATH: process.env["PATH"],
      HOME: cwd,
      CODER_URL: subject.standIn.url,
      CODER_SESSION_TOKEN: subject.standIn.token,
      CODER_CONFIG_DIR: cwd,
      CODER_NO_VERSION_WARNING: "true",
      CODER_NO_FEATURE_WARNING: "true",
      CODER_SSH_DISABLE_AUTOSTART: "true",
      CODER_DISABLE_NETWORK_TELEMETRY: "true",
    });
  }
});

test("the remote terminal has the engine's size, not 128x128, and does not start the Coder workspace", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  const { command } = shell.terminal({ rcFile: "/a dir/rc" });
  const [, ...argv] = command;
  const separator = argv.indexOf("--");
  expect(argv.slice(0, separator)).toEqual([
    "ssh",
    "--disable-autostart",
    "--wait=no",
    "-t",
    `${shell.id}.main`,
  ]);
  // The words after -- are joined with spaces before the remote shell reads them.
  expect(argv.slice(separator + 1)).toHaveLength(1);
  expect(argv.at(-1)).toContain("stty rows 40 cols 120");
});

test("processes that a command left running end with their Coder workspace (S11, T5)", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  await shell.exec("setsid sleep 300 >/dev/null 2>&1 </dev/null & disown", TIMEOUT);
  const mark = `CODER_WORKSPACE_ID=${shell.id}`;
  expect(processesCarrying(mark)).not.toEqual([]);
  await subject.provider.destroy({ id: shell.id, name: "product-triage-142" }, AbortSignal.timeout(10_000));
  expect(processesCarrying(mark)).toEqual([]);
});

test("a CLI that ignores SIGTERM is killed, together with the processes that it started (coder failure 22)", async () => {
  await using directory = await temporaryDirectory();
  const binary = join(directory.path, "coder");
  const mark = `AFK_STUBBORN=${directory.path}`;
  await writeFile(binary, `#!/bin/bash\ntrap '' TERM\nexport ${mark}\nsleep 301 &\nwait\nwait\nsleep 302\n`, {
    mode: 0o755,
  });
  await using subject = await deployment({}, { binary, timings: { cliTimeoutMs: 300 } });
  await expect(subject.provider.preflight(never)).rejects.toMatchObject({ code: "CODER_CLI_MISSING" });
  expect(processesCarrying(mark)).toEqual([]);
});

test("the token inside is that of the Coder workspace agent, never that of the user (coder failure 25, S8)", async () => {
  await using subject = await deployment();
  const shell = await ready(subject.provider);
  const look = `env; grep -rF -e '${subject.standIn.token}' ~ && echo found-in-a-file; exit 0`;
  const inside = await shell.exec(look, TIMEOUT);
  const text = inside.type === "exited" ? Buffer.from(inside.stdout).toString() : "";
  expect(text).toContain("CODER_AGENT_TOKEN=");
  expect(text).not.toContain(subject.standIn.token);
  expect(text).not.toMatch(/CODER_SESSION_TOKEN|CODER_CONFIG_DIR|found-in-a-file/);
});
