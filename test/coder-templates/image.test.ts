import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { CODER } from "./template-source.ts";

const ROOT = join(CODER, "..");
const TOOLS = ["bash", "git", "node", "claude", "tmux", "curl", "getent"];
const FIREWALL = { AFK_TRIAGE_FIREWALL: "landjail" };
const BASH = whereIs("bash");
const dockerfile = await readFile(join(CODER, "image", "Dockerfile"), "utf8");

test("the base image is pinned by its digest, and the installed packages by their versions, except ca-certificates (S20)", () => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(bases).toEqual([expect.stringMatching(/^docker\.io\/library\/node@sha256:[0-9a-f]{64}$/)]);
  const packages =
    /apt-get install[^&]*?\\\n([\s\S]*?)&&/.exec(dockerfile)?.[1]?.match(/[a-z][^\s\\]+/g) ?? [];
  const unpinned = packages.filter((name) => !name.includes("="));
  expect(packages.length).toBeGreaterThan(4);
  // Certificates must always be the newest.
  expect(unpinned).toEqual(["ca-certificates"]);
});

test("Claude Code has the version that the project's own tests drive (S20)", async () => {
  const installer = await readFile(join(ROOT, "scripts/install-tool.ts"), "utf8");
  const driven = /^ {2}claude: "([\d.]+)",$/m.exec(installer)?.[1];
  expect(dockerfile).toContain(`ARG CLAUDE_CODE_VERSION=${driven}\n`);
});

test("root owns the image's rules of Claude Code, and the machine's user is not root (S12)", () => {
  // With a managed-mcp.json, Claude Code refuses --strict-mcp-config, with which the program starts it.
  expect(dockerfile.match(/^COPY .*$/gm)).toEqual([
    "COPY managed-settings.json /etc/claude-code/",
    "COPY --chmod=0755 claude.sh /usr/local/sbin/claude",
  ]);
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  expect(dockerfile.indexOf("/etc/claude-code")).toBeLessThan(dockerfile.indexOf("USER 10001"));
  expect(dockerfile).not.toMatch(/\bsudo=|chpasswd|NOPASSWD/);
  // The shell that starts every command there reads no file that the Triage Agent can write.
  expect(dockerfile).toMatch(/^RUN useradd .*--shell \/bin\/sh triage$/m);
});

test("no hook, MCP server, plugin or permission of a checkout takes effect (S12)", async () => {
  const settings = JSON.parse(await readFile(join(CODER, "image/managed-settings.json"), "utf8")) as {
    permissions: { allow: string[] };
  };
  expect(settings).toMatchObject({
    allowManagedHooksOnly: true,
    allowManagedPermissionRulesOnly: true,
    allowedMcpServers: [],
    strictKnownMarketplaces: [],
    permissions: { disableBypassPermissionsMode: "disable" },
  });
  // Only the managed rules apply, so they must allow what the program itself allows.
  const command = await readFile(join(ROOT, "src/triage/triage-agents/claude-code-command.ts"), "utf8");
  expect(settings.permissions.allow.join(",")).toBe(/const TOOLS = "([^"]+)"/.exec(command)?.[1]);
});

/** Drops root's rights, because root can write every file; null if there is no way to drop them here. */
const AS_USER = process.getuid?.() === 0 ? asNobody() : [];

describe("prepare.sh", () => {
  test("bash can parse it", async () => {
    expect((await execa("bash", ["-n", join(CODER, "docker", "prepare.sh")])).exitCode).toBe(0);
  });

  test.each<[string, Machine, RegExp]>([
    ["a missing tool", { tools: TOOLS.filter((tool) => tool !== "claude") }, /claude is not in the image/],
    ["an old tmux", { tmux: "tmux 2.9" }, /tmux 3 is needed .* not tmux 2\.9/],
    ["S12: no rules for Claude Code", { policy: "missing" }, /files of a checkout could configure/],
    [
      "S12: a login shell that reads ~/.bashrc",
      { shell: "/bin/bash" },
      /login shell of triage is \/bin\/bash/,
    ],
    ["an Agent Firewall without coder", { env: FIREWALL }, /landjail needs the program coder in the PATH/],
    [
      "an Agent Firewall on an old kernel",
      { env: FIREWALL, tools: [...TOOLS, "coder", "uname"], kernel: "6.6.9-cloud" },
      /landjail needs Linux 6\.7 or newer, not 6\.6\.9-cloud/,
    ],
    ["S12: rules that the user may write", { policy: "writable" }, /could change its own rules/],
  ])("refuses %s", async (_, machine, says) => {
    const { exitCode, stderr } = await prepare(machine);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(says)]);
  });

  test.runIf(AS_USER !== null)("accepts a kernel that has what the Agent Firewall needs", async () => {
    for (const kernel of ["6.7.0", "6.12.4-amd64", "7.0.1"]) {
      const tools = [...TOOLS, "coder", "uname"];
      expect((await prepare({ env: FIREWALL, tools, kernel })).exitCode).toBe(0);
    }
  });

  test.runIf(AS_USER !== null)("accepts the image's own state, and names a missing credential", async () => {
    const { exitCode, stderr } = await prepare({});
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("no credential here")]);
  });
});

describe("claude.sh", () => {
  /** Returns the arguments of the program that the script starts, one per line. */
  async function started(env: Record<string, string>, ...args: string[]): Promise<string> {
    await using directory = await temporaryDirectory();
    const path = (name: string): string => join(directory.path, name);
    await mkdir(path("bin"));
    for (const name of ["claude-itself", "bin/coder"])
      await executable(path(name), 'echo "${0##*/}"; printf "%s\\n" "$@"');
    const text = await readFile(join(CODER, "image", "claude.sh"), "utf8");
    const script = text
      .replace("/tmp/afk-triage-firewall", path("log"))
      .replace("/usr/local/bin/claude", path("claude-itself"));
    const PATH = `${path("bin")}:/usr/bin:/bin`;
    const argv = ["-c", script, "claude", ...args];
    const { stdout } = await execa("sh", argv, { extendEnv: false, env: { ...env, PATH } });
    return stdout.replaceAll(`${directory.path}/`, "");
  }

  test("starts Claude Code directly unless the template asks for the Agent Firewall", async () => {
    expect(await started({}, "--print", "a b")).toBe("claude-itself\n--print\na b");
    const AFK_TRIAGE_FIREWALL = "landjail";
    expect(await started({ AFK_TRIAGE_FIREWALL }, "--version")).toBe("claude-itself\n--version");
  });

  test("starts Claude Code inside the Agent Firewall, with the template's rules and a log that the parent reads", async () => {
    const rules = "domain=api.anthropic.com\ndomain=registry.npmjs.org method=GET,HEAD path=/*";
    const env = { AFK_TRIAGE_FIREWALL: "landjail", AFK_TRIAGE_FIREWALL_ALLOW: rules };
    const words = (await started(env, "--print", "a b")).split("\n");
    expect(words.slice(0, 8)).toEqual([
      "coder",
      "boundary",
      "--jail-type",
      "landjail",
      "--log-dir",
      "log",
      "--log-level",
      "warn",
    ]);
    expect(words.slice(8).toSorted()).toEqual(
      ["--allow", "--allow", ...rules.split("\n"), "--", "claude-itself", "--print", "a b"].toSorted(),
    );
    expect(words.slice(words.indexOf("--"))).toEqual(["--", "claude-itself", "--print", "a b"]);
  });
});

interface Machine {
  tools?: readonly string[];
  tmux?: string;
  policy?: "read-only" | "writable" | "missing";
  shell?: string;
  kernel?: string;
  env?: Record<string, string>;
}

/** Runs the script on a machine that has only these tools. */
async function prepare({
  tools = TOOLS,
  tmux = "tmux 3.3a",
  policy = "read-only",
  shell = "/bin/sh",
  kernel = "6.7.0",
  env = {},
}: Machine) {
  await using directory = await temporaryDirectory();
  const path = (name: string): string => join(directory.path, name);
  for (const name of ["bin", "home", "policy"]) await mkdir(path(name));
  const says: Record<string, string> = {
    tmux,
    uname: kernel,
    getent: `triage:x:10001:10001::/home/triage:${shell}`,
  };
  for (const tool of tools) await executable(path(`bin/${tool}`), `echo "${says[tool] ?? ""}"`);
  await executable(path("bin/id"), "echo triage");
  if (policy !== "missing") {
    await writeFile(path("policy/managed-settings.json"), "{}");
    await chmod(path("policy/managed-settings.json"), policy === "writable" ? 0o666 : 0o444);
  }
  for (const name of ["home", "bin", "policy", "."]) await chmod(path(name), 0o777);
  const text = await readFile(join(CODER, "docker", "prepare.sh"), "utf8");
  const script = text.replace("/etc/claude-code", path("policy"));
  const argv = [...(AS_USER ?? []), BASH, "-c", script];
  const { exitCode, stderr } = await execa(whereIs("env"), argv, {
    cwd: directory.path,
    reject: false,
    extendEnv: false,
    env: { ...env, PATH: path("bin"), HOME: path("home"), AFK_TEST_RUN: process.env["AFK_TEST_RUN"] ?? "" },
  });
  return { exitCode, stderr };
}

function asNobody(): string[] | null {
  const setpriv = whereIs("setpriv");
  return setpriv === "" ? null : [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"];
}

function whereIs(program: string): string {
  return execFileSync("bash", ["-c", 'command -v "$0" || true', program]).toString().trim();
}

async function executable(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}
