import { once } from "node:events";
import { mkdir, open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createScreen } from "agent-tty/testing";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Binary, BUILD_PATIENCE_MS, bundledBinary, type Ended } from "./detached/bundled-binary.ts";
import { type Engine, engine, PATIENT } from "./engine-fixture.ts";
import { writeSession } from "./written-log.ts";

let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

const envOf = (started: Engine): Record<string, string> => ({
  ...started.env,
  AGENT_TTY_HOME: started.home.directory,
});

/** Starts the binary in its own process, for tests that interact with it while it runs. */
const start = (started: Engine, args: readonly string[]) =>
  execa(process.execPath, [binary.path, ...args], {
    reject: false,
    env: envOf(started),
    extendEnv: false,
  });

/** Returns the output and exit code of a command, without the cost of starting a process. */
const command = (started: Engine, args: readonly string[]): Promise<Ended> =>
  binary.command(args, { cwd: started.directory, env: envOf(started) });

interface Envelope {
  ok: boolean;
  command: string;
  timestamp: string;
  result: Record<string, unknown>;
  error: { code: string; message: string; retryable: boolean; remedy: string };
}

async function json(
  started: Engine,
  args: readonly string[],
): Promise<Envelope & { exitCode: number | undefined }> {
  const { stdout, exitCode } = await command(started, [...args, "--json"]);
  expect(stdout.split("\n")).toHaveLength(1);
  return { ...(JSON.parse(stdout) as Envelope), exitCode };
}

describe("agent-tty", () => {
  test("the commands read a Session that is hosted by another process (A14, A20)", async () => {
    await using started = await engine();
    const session = await started.bash({ name: "live one" });
    const ended = await started.create({ command: ["sh", "-c", "echo over; exit 3"] });
    await Promise.all([session.run("echo 'on the screen'", PATIENT), ended.exited]);
    const list = await json(started, ["list"]);
    expect(list).toMatchObject({ ok: true, command: "list", exitCode: 0 });
    expect(list.result["sessions"]).toMatchObject([
      { sessionId: session.id, status: "running", name: "live one" },
    ]);
    const all = await json(started, ["list", "--all"]);
    expect(all.result["sessions"]).toHaveLength(2);
    const snapshot = await json(started, ["snapshot", session.id]);
    expect(snapshot.result["text"]).toContain("on the screen");
    const first = await json(started, ["snapshot", session.id, "--at-seq", "1", "--format", "structured"]);
    expect(first.result).toMatchObject({ format: "structured", capturedAtSeq: 0, cols: 120, rows: 40 });
    const cells = await json(started, ["snapshot", session.id, "--include-cells", "--include-scrollback"]);
    expect(cells.result).toMatchObject({ format: "structured", cells: expect.any(Array) as unknown });
    const inspected = await json(started, ["inspect", ended.id]);
    expect(inspected.result).toMatchObject({
      session: { sessionId: ended.id, childPid: ended.pid },
      status: { value: "exited", policy: { offlineReplayEligible: true } },
      lastEventSeq: ended.lastSeq(),
      termination: { exit: { type: "code", code: 3 } },
    });
    const { stdout: shown } = await command(started, ["inspect", ended.id]);
    expect(shown).toMatch(/^command {4}sh -c 'echo over; exit 3'$[^]*^exited {5}with code 3$/m);
    const cast = join(started.directory, "x.cast");
    const exported = await json(started, ["record", "export", ended.id, "--out", cast]);
    expect(exported.result).toMatchObject({ path: cast });
    const played = await command(started, ["play", cast]);
    expect(played).toMatchObject({ exitCode: 0 });
    expect(played.stdout).toContain("over");
  });

  test("follow streams the events of a live Session until it ends (A6)", async () => {
    await using started = await engine();
    const session = await started.bash();
    const following = start(started, ["follow", session.id]);
    await once(following.stdout, "data");
    await session.run("echo followed", PATIENT);
    await session.run("exit 4", PATIENT);
    const { stdout, exitCode } = await following;
    const records = stdout
      .split("\n")
      .map((line) => JSON.parse(line) as { seq: number; type: string; data?: string });
    expect(exitCode).toBe(0);
    expect(records.map((record) => record.seq)).toEqual(records.map((_, index) => index + 1));
    expect(records.at(-1)).toMatchObject({ type: "exit", exit: { type: "code", code: 4 } });
    expect(records.map((record) => record.data ?? "").join("")).toContain("followed");
  });

  test("play shows colours and drops titles, clipboard writes and queries; Ctrl+C resets the terminal (S10)", async () => {
    await using started = await engine();
    const hostile = "\x1b[31mred\x1b]0;title\x07\x1b]52;c;eA==\x1b\\\x1b[6n\x1b[c\x1bP$qm\x1b\\\x05 shown";
    const log = await writeSession(started.home, [{ output: Buffer.from(hostile) }]);
    const played = await command(started, ["play", log.sessionId]);
    expect(played.stdout).toContain("\x1b[31mred shown");
    expect(played.stdout).not.toMatch(/title|eA==|\x1b\]|\x1bP|\x1b\[6n|\x1b\[c|\x05/);
    const path = join(started.directory, "slow.cast");
    await writeFile(path, '{"version":2,"width":80,"height":24}\n[0,"o","begin"]\n[600,"o","end"]\n');
    const playing = start(started, ["play", path]);
    await once(playing.stdout, "data");
    playing.kill("SIGINT");
    const stopped = await playing;
    expect(stopped.exitCode).toBe(130);
    expect(stopped.stdout).toMatch(/begin\x1b7\x1b\[\?1049l[^]*\x1b\[\?25h\x1b\[0m/);
    expect(stopped.stdout).not.toContain("end");
    const hurried = await command(started, ["play", path, "--speed", "100", "--idle-limit", "1"]);
    expect(hurried.stdout).toContain("end");
  });

  test("play restores the terminal and leaves the cursor after the last line shown (A6)", async () => {
    await using started = await engine();
    const linesAfter = async (output: string): Promise<string[]> => {
      const log = await writeSession(started.home, [{ output: Buffer.from(output) }]);
      const played = await command(started, ["play", log.sessionId]);
      using screen = createScreen({ cols: 20, rows: 12 });
      // The bytes as they reach a terminal, with the last line end, which is not captured. The person's next input follows them.
      screen.write(Buffer.from(`one\r\ntwo\r\n${`${played.stdout}\n`.replaceAll(/\r?\n/g, "\r\n")}`), 1);
      screen.write(Buffer.from(`${"q".repeat(21)}\r\n${"line\r\n".repeat(4)}\x1b[6;1Hmid\x1b[1;1Htop`), 2);
      return screen.snapshot().visibleLines.slice(0, 10);
    };
    const expected = ["top", "two", "out", "", "q".repeat(20), "mid", "line", "line", "line", "line"];
    for (const left of [
      "",
      "\x1b[2;5r\x1b[4;1H",
      "\x1b[2;5r\x1b[?6h\x1b[3;1H",
      "\x1b[4h",
      "\x1b[?7l",
      "\x1b(0",
      "\x1b)0\x0e",
      "\x1b[?1049h\x1b[2Jfull screen",
    ])
      expect({ left, lines: await linesAfter(`out\n${left}`) }).toEqual({ left, lines: expected });
  });

  test("invalid input produces one JSON envelope or one line, and the right exit code (A14)", async () => {
    await using started = await engine();
    const ulid = started.home.ids.ulid();
    const check = async (args: string[], exitCode: number, code: string): Promise<void> => {
      const [envelope, plain] = [await json(started, args), await command(started, args)];
      expect(envelope).toMatchObject({ ok: false, exitCode, error: { code, retryable: false } });
      expect(envelope.error.remedy).not.toBe("");
      expect([plain.exitCode, plain.stdout, plain.stderr.trim().split("\n").length]).toEqual([
        exitCode,
        "",
        1,
      ]);
    };
    const { exitCode, stdout, stderr } = await start(started, ["list", "--no-such-flag"]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^agent-tty list: .*$/);
    await check([], 2, "USAGE");
    await check(["no-such-command"], 2, "USAGE");
    await check(["list", "--no-such-flag"], 2, "USAGE");
    await check(["list", "--status", "asleep"], 2, "USAGE");
    await check(["snapshot", ulid, "--at-seq", "-1"], 2, "USAGE");
    await check(["screenshots", ulid], 2, "USAGE");
    await check(["snapshot", ulid, "--format", "text", "--include-cells"], 2, "USAGE");
    await check(["record", "export", ulid, "--theme", "light"], 2, "USAGE");
    await check(["help", "no-such-command"], 2, "USAGE");
    await check(["help", "record", "no-such-command"], 2, "USAGE");
    await check(["record", "help", "no-such-command"], 2, "USAGE");
    const { sessionId, directory } = await writeSession(started.home, [{ output: Buffer.from("one") }]);
    await mkdir(join(directory, "artifacts"));
    for (const look of ["snapshot", "screenshot"]) {
      await check([look, sessionId, "--at-seq", "3"], 2, "INVALID_INPUT");
      expect(await json(started, [look, sessionId, "--at-seq", "2"])).toMatchObject({ ok: true });
    }
    await check(["inspect", ulid], 3, "SESSION_NOT_FOUND");
    await check(["inspect", "../../../etc"], 3, "SESSION_NOT_FOUND");
    await check(["inspect", ulid, "--home", binary.path], 8, "HOME_REFUSED");
    await check(["list", "--home", ""], 2, "USAGE");
    await check(["list", "--home", `${binary.path}/x`], 8, "HOME_REFUSED");
    await check(["list", "--home", `${binary.path}/x/y`], 8, "HOME_REFUSED");
    await check(["list", "--home", "/proc/no-such"], 8, "HOME_REFUSED");
    await check(["play", "no-such.cast"], 10, "RECORDING_UNREADABLE");
    await check(["play", "/dev/null"], 10, "RECORDING_UNREADABLE");
  });

  test("SIGTERM ends a command at once that has nothing to stop early (A14)", async () => {
    await using started = await engine();
    const { sessionId, directory } = await writeSession(started.home, [{ output: Buffer.from("one") }]);
    const manifest = join(directory, "session.json");
    await rm(manifest);
    await execa("mkfifo", [manifest]);
    const inspecting = start(started, ["inspect", sessionId]);
    // Opens when the command reads it, and keeps the command waiting.
    const held = await open(manifest, "w");
    inspecting.kill("SIGTERM");
    await held.close();
    expect(await inspecting).toMatchObject({ signal: "SIGTERM", stdout: "", stderr: "" });
  });

  test("help is also a command, and the common flags may stand behind the name of a group (A14)", async () => {
    await using started = await engine();
    const stdoutOf = async (...args: string[]): Promise<string> => (await command(started, args)).stdout;
    expect(await stdoutOf("help")).toBe(await stdoutOf("--help"));
    expect(await stdoutOf("help", "list")).toBe(await stdoutOf("list", "--help"));
    const ofExport = await stdoutOf("record", "export", "--help");
    const { directory } = started.home;
    expect(await stdoutOf("record", "help", "export")).toBe(ofExport);
    expect(await stdoutOf("--json", "--home", directory, "record", "help", "export")).toBe(ofExport);
    expect(await stdoutOf(`--home=${directory}`, "help", "record", "export")).toBe(ofExport);
    const { sessionId } = await writeSession(started.home, [{ output: Buffer.from("one") }]);
    const env = { ...started.env, AGENT_TTY_HOME: join(started.directory, "other") };
    const args = ["record", "--home", started.home.directory, "--json", "export", sessionId];
    const exported = await binary.command(args, { cwd: started.directory, env });
    expect(JSON.parse(exported.stdout)).toMatchObject({ ok: true, command: "record export" });
  });

  test("a usage error is a sentence that names the help of its command (A14)", async () => {
    await using started = await engine();
    const rows: [args: string[], stderr: string][] = [
      [[], "agent-tty: no command was given. Run `agent-tty --help` for the commands and their flags"],
      [
        ["list", "x"],
        "agent-tty list: too many arguments for 'list'. Expected 0 arguments but got 1. Run `agent-tty list --help` for its flags and an example",
      ],
      [
        ["batch", "x"],
        "agent-tty batch: the array of steps is missing. Give it as an argument or with --file",
      ],
    ];
    for (const [args, stderr] of rows) expect((await command(started, args)).stderr.trim()).toBe(stderr);
    expect((await command(started, ["lst"])).stderr).toContain("'lst' (Did you mean list?). Run");
    expect((await command(started, ["list", "--al"])).stderr).toContain("'--al' (Did you mean --all?). Run");
  });

  test("every command accepts --home and --json, and shows an example in its help (A14)", async () => {
    await using started = await engine();
    const check = async (args: readonly string[], subcommands: readonly string[]): Promise<void> => {
      const { stdout, exitCode } = await command(started, [...args, "--help"]);
      expect({ args, exitCode, stdout }).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining("Example:\n  agent-tty"),
      });
      const listed = /Commands:\n(?<rows>[^]*?)\n\n/.exec(stdout)?.groups?.["rows"] ?? "";
      const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1] ?? "");
      expect(names.filter((name) => name !== "help")).toEqual(expect.arrayContaining([...subcommands]));
      if (names.length === 0) {
        expect(stdout).toContain("--home <dir>");
        expect(stdout).toContain("--json");
      }
      for (const name of names) if (name !== "help") await check([...args, name], []);
    };
    await check([], ["create", "run", "record", "home", "skills", "version"]);
    const home = started.home.directory;
    expect(await json(started, ["skills", "list", "--home", home])).toMatchObject({ ok: true });
    expect(await json(started, ["home", "list", "--home", home])).toMatchObject({ ok: true });
    const refused = await json(started, ["record", "export", "x", "--format", "bogus", "--out", "f"]);
    expect(refused).toMatchObject({ ok: false, command: "record export", exitCode: 2 });
    expect((await start(started, ["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+/);
  }, 120_000);

  test("a disk that refuses an artifact is a storage error, and no incomplete file is left (A10)", async () => {
    await using started = await engine();
    const { sessionId, directory } = await writeSession(started.home, [{ output: Buffer.from("kept\r\n") }]);
    await mkdir(join(directory, "artifacts"));
    // The limit keeps every file from growing, as a full disk does.
    const shell = ["-c", 'ulimit -f 0; exec "$@"', "sh", process.execPath, binary.path];
    const { stdout, exitCode } = await execa("sh", [...shell, "snapshot", sessionId, "--json"], {
      reject: false,
      env: { ...started.env, AGENT_TTY_HOME: started.home.directory },
      extendEnv: false,
    });
    expect({ exitCode, said: JSON.parse(stdout) as unknown }).toMatchObject({
      exitCode: 8,
      said: { ok: false, command: "snapshot", error: { code: "STORAGE_REFUSED" } },
    });
    const left = await readdir(join(directory, "artifacts"));
    expect(left).toEqual([]);
  });

  test("output that cannot be written is one line and a storage error, which names a Session that was made (A14)", async () => {
    await using started = await engine();
    // Nothing can be written there.
    await using refusing = await open(binary.path, "r");
    const write = (...args: string[]) =>
      execa(process.execPath, [binary.path, ...args], {
        reject: false,
        env: envOf(started),
        extendEnv: false,
        ...({ stdout: refusing.fd } as object),
      });
    const [help, created] = await Promise.all([write("--help"), write("create", "--json", "--", "cat")]);
    const { sessions } = (await json(started, ["list"])).result as { sessions: { sessionId: string }[] };
    const [id = ""] = sessions.map(({ sessionId }) => sessionId);
    await command(started, ["destroy", id, "--force"]);
    expect([help.exitCode, help.stderr]).toEqual([
      8,
      expect.stringMatching(/^agent-tty: cannot write.*EBADF.*$/),
    ]);
    expect([created.exitCode, created.stderr]).toEqual([
      8,
      expect.stringContaining(`Session ${id} is running`),
    ]);
  });

  test("a reader that closes its pipe does not crash agent-tty (A14)", async () => {
    await using started = await engine();
    const log = await writeSession(
      started.home,
      Array.from({ length: 20_000 }, () => ({ output: Buffer.from("line\r\n") })),
    );
    const following = start(started, ["follow", log.sessionId]);
    await once(following.stdout, "data");
    following.stdout.destroy();
    const { exitCode, stderr } = await following;
    expect([exitCode, stderr]).toEqual([0, ""]);
  });
});
