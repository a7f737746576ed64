import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Binary, BUILD_PATIENCE_MS, bundledBinary, commandLine, processGone } from "./command-line.ts";

const SHELL = ["bash", "--norc"];
let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

describe("agent-tty on live Sessions", { timeout: 90_000 }, () => {
  test("create returns a Session that accepts commands at once and outlives the command line (A1, A13)", async () => {
    await using cli = await commandLine(binary);
    const created = await cli.json([
      "create",
      "--cols",
      "90",
      "--rows",
      "20",
      "--name",
      "mine",
      "--env",
      "A=1",
      "--env",
      "B=x=y",
      "--",
      ...SHELL,
    ]);
    expect(created).toMatchObject({
      ok: true,
      command: "create",
      result: { status: "running", cols: 90, rows: 20 },
    });
    const id = String(created.result["sessionId"]);
    const run = await cli.json(["run", id, 'echo "$A-$B-$(stty size)"; [ "$PWD" = "$HOME" ]', "--check"]);
    expect(run).toMatchObject({ exitCode: 0, result: { completed: true, exitCode: 0 } });
    const shown = await cli.json(["snapshot", id]);
    expect(shown.result["text"]).toContain("1-x=y-20 90");
    const list = await cli.json(["list"]);
    expect(list.result["sessions"]).toMatchObject([{ sessionId: id, name: "mine", status: "running" }]);
  });

  test("create without a command starts the shell in the caller's directory and records its absolute path (A1, A7)", async () => {
    await using cli = await commandLine(binary);
    const created = await cli.json(["create"]);
    expect(created).toMatchObject({ exitCode: 0, result: { status: "running" } });
    const id = String(created.result["sessionId"]);
    expect(await cli.json(["run", id, '[ "$PWD" = "$HOME" ]'])).toMatchObject({ result: { exitCode: 0 } });
    expect((await cli.json(["inspect", id])).result["session"]).toMatchObject({
      command: ["/bin/sh"],
      cwd: cli.directory,
    });
  });

  test("run distinguishes completion (with exit code and output), caller timeout and interruption (A16)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create(...SHELL);
    const ended = await cli.json(["run", id, "printf 'out\\n'; (exit 7)"]);
    expect(ended).toMatchObject({
      exitCode: 0,
      result: { accepted: true, completed: true, timedOut: false, interrupted: false, exitCode: 7 },
    });
    const { fromSeq, toSeq } = ended.result["output"] as { fromSeq: number; toSeq: number };
    expect([fromSeq <= toSeq, Number(ended.result["seq"]) < fromSeq]).toEqual([true, true]);
    expect((await cli.start(["run", id, "(exit 7)", "--check"])).exitCode).toBe(7);
    let late = ended;
    // A run that was not accepted was not typed, because the shell did not read yet.
    for (late.result["accepted"] = false; late.result["accepted"] === false;)
      late = await cli.json(["run", id, "sleep 0.4; (exit 3)", "--timeout", "50"]);
    expect(late).toMatchObject({
      ok: true,
      exitCode: 11,
      result: { timedOut: true, exitCode: null, accepted: true },
    });
    await writeFile(join(cli.directory, "two.sh"), "true\n(exit 5)\n");
    expect((await cli.json(["run", id, "--file", "two.sh"])).result).toMatchObject({ exitCode: 5 });
    // A shell that has not started its program yet may lose the interrupt, so it is sent to one that waits for input.
    const waiting = `sh -c 'trap "exit 130" INT; echo be''gun; read line'`;
    const started = await cli.json(["run", id, waiting, "--no-wait"]);
    expect(started.result).toMatchObject({
      accepted: true,
      completed: false,
      timedOut: false,
      exitCode: null,
    });
    await cli.json(["wait", id, "--text", "begun"]);
    expect((await cli.json(["send-keys", id, "Ctrl+C"])).result["seq"]).toBeGreaterThan(0);
    const interrupted = await cli.json(["run", id, "exit 9"]);
    expect(interrupted).toMatchObject({
      ok: true,
      exitCode: 4,
      result: { interrupted: true, completed: false, exitCode: null },
    });
    expect(await cli.json(["run", id, "true"])).toMatchObject({
      exitCode: 4,
      error: { code: "SESSION_NOT_RUNNING", retryable: false },
    });
    const told = await cli.command(["run", await cli.create(...SHELL), "exit 9"]);
    expect(told.stdout).toBe("the Session exited with code 9 before the end of the command was seen");
  });

  test("type, paste, send-keys, mark, resize and signal return the sequence of their event (A6, A13)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("cat");
    const seqs: number[] = [];
    await writeFile(join(cli.directory, "text"), "from a file\n");
    const send = async (...args: string[]): Promise<void> => {
      const done = await cli.json(args);
      expect(done).toMatchObject({ ok: true, command: args[0], exitCode: 0 });
      seqs.push(Number(done.result["seq"]));
    };
    await send("type", id, "typed ");
    await send("type", id, "--file", "text");
    // A program that starts late would print this line only after the terminal has echoed the next one.
    const line = "typed from a file";
    const answered = await cli.json(["wait", id, "--regex", `${line}\\s+${line}`, "--timeout", "60000"]);
    expect(answered.result).toMatchObject({ matched: true, timedOut: false });
    await send("paste", id, "pasted");
    await send("send-keys", id, "Enter");
    await send("mark", id, "here");
    await send("resize", id, "--cols", "50", "--rows", "10");
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    const waited = await cli.json(["wait", id, "--regex", "pasted\\s+pasted", "--timeout", "5000"]);
    expect(waited.result).toMatchObject({ matched: true, timedOut: false });
    const shown = await cli.json(["snapshot", id, "--format", "structured"]);
    expect(shown.result).toMatchObject({ cols: 50, rows: 10, format: "structured" });
    expect((await cli.json(["signal", id, "TERM"])).exitCode).toBe(0);
    const over = await cli.json(["wait", id, "--exit"]);
    expect(over.result).toMatchObject({ matched: true, exit: { type: "signal", signal: "SIGTERM" } });
  });

  test("signal reaches the foreground job and not its shell (A13)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create(...SHELL);
    await cli.json(["run", id, "--no-wait", "sh -c 'echo asleep; exec sleep 60'; echo status=$?"]);
    await cli.json(["wait", id, "--regex", "^asleep"]);
    expect(await cli.json(["signal", id, "SIGKILL"])).toMatchObject({ ok: true });
    expect((await cli.json(["wait", id, "--text", "status=137"])).result).toMatchObject({ matched: true });
    expect((await cli.json(["inspect", id])).result["status"]).toMatchObject({ value: "running" });
  });

  test("wait matches, times out with the screen it saw, and ends at once when the Session exits (A19, A20)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("sh", "-c", "echo first; read x; echo second; exit 3");
    const first = await cli.json(["wait", id, "--text", "first"]);
    expect(first.result).toMatchObject({ matched: true, matchedText: "first" });
    expect(String(first.result["screenHash"])).toMatch(/^[0-9a-f]{64}$/);
    expect((await cli.json(["wait", id, "--idle-ms", "30"])).result).toMatchObject({ matched: true });
    expect(
      (await cli.json(["wait", id, "--screen-stable-ms", "30", "--cursor-row", "1"])).result,
    ).toMatchObject({ matched: true });
    const late = await cli.json(["wait", id, "--text", "never", "--timeout", "50"]);
    expect(late).toMatchObject({
      exitCode: 11,
      ok: true,
      result: { matched: false, timedOut: true, visibleText: "first" },
    });
    const waiting = cli.json(["wait", id, "--text", "never"]);
    const ended = cli.json(["wait", id, "--exit"]);
    const silence = cli.json(["wait", id, "--idle-ms", "600000"]);
    await cli.json(["type", id, "x\n"]);
    expect(await waiting).toMatchObject({
      exitCode: 4,
      result: {
        matched: false,
        timedOut: false,
        reason: expect.stringContaining("exited with code 3") as string,
      },
    });
    expect((await ended).result).toMatchObject({ matched: true, exitCode: 3 });
    expect((await silence).result).toMatchObject({ matched: true, exitCode: 3 });
    const offline = (...flags: string[]) => cli.json(["wait", id, ...flags]);
    expect((await offline("--text", "second")).result).toMatchObject({ matched: true });
    expect(await offline("--text", "never")).toMatchObject({
      exitCode: 4,
      result: { matched: false, timedOut: false },
    });
    expect((await offline("--exit")).result).toMatchObject({ matched: true, exitCode: 3 });
    expect(await offline("--screen-stable-ms", "10")).toMatchObject({
      exitCode: 10,
      error: { code: "STABILITY_NOT_PROVABLE_OFFLINE" },
    });
  });

  test("snapshot, screenshot, wait, inspect and follow report what they left out of a damaged Event Log (A6, A9)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("echo", "whole");
    await cli.json(["wait", id, "--exit"]);
    await processGone((await cli.manifest(id)).hostPid);
    const commands = [["snapshot"], ["screenshot"], ["wait", "--exit"], ["inspect"]];
    const damage = async (): Promise<unknown[]> =>
      Promise.all(
        commands.map(async ([name = "", ...more]) => (await cli.json([name, id, ...more])).result["damage"]),
      );
    expect(await damage()).toEqual(commands.map(() => undefined));
    const events = join(cli.home, "sessions", id, "events.jsonl");
    const lines = (await readFile(events, "utf8")).split("\n");
    await writeFile(events, lines.with(1, "garbage").join("\n"));
    const found = [{ type: "bad-record", line: 2, reason: "not JSON" }];
    expect(await damage()).toEqual(commands.map(() => found));
    for (const command of ["snapshot", "follow"])
      expect((await cli.command([command, id])).stderr).toContain(
        `agent-tty ${command}: damaged places of the Event Log that were left out: 1`,
      );
    await writeFile(events, lines.join("\n"));
    // The output may be in several records, as the terminal handed it over. The last byte is in one.
    await truncate(join(cli.home, "sessions", id, "output.bin"), "whole\r\n".length - 1);
    const lost = { type: "missing-output", lostBytes: 1 };
    expect(await damage()).toMatchObject(commands.map(() => [lost]));
  });

  test("every command refuses bad input, missing Sessions and exited Sessions with the right exit code (A3, A13)", async () => {
    await using cli = await commandLine(binary);
    const id = await cli.create("cat");
    const missing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const check = async (args: string[], exitCode: number, code: string): Promise<void> => {
      expect(await cli.json(args)).toMatchObject({ ok: false, command: args[0], exitCode, error: { code } });
    };
    await check(["create", "--cols", "x", "--", "cat"], 2, "USAGE");
    await check(["create", "--cols", "100000", "--", "cat"], 2, "INVALID_INPUT");
    await check(["create", "--env", "novalue", "--", "cat"], 2, "USAGE");
    await check(["create", "--cwd", "/no/such", "--", "cat"], 2, "SPAWN_DIRECTORY_MISSING");
    await check(["resize", id, "--cols", "100000", "--rows", "100000"], 2, "INVALID_INPUT");
    await check(["resize", id, "--cols", "10"], 2, "USAGE");
    const long = "x".repeat(201);
    await check(["create", "--name", long, "--", "cat"], 2, "INVALID_INPUT");
    for (const label of ["", long]) await check(["mark", id, label], 2, "INVALID_INPUT");
    expect((await cli.json(["mark", id, "x".repeat(200)])).exitCode).toBe(0);
    expect((await cli.json(["inspect", "x".repeat(5_000)])).error.message.length).toBeLessThan(400);
    await check(["signal", id, "SIGNOPE"], 2, "INVALID_INPUT");
    await check(["send-keys", id, "NoSuchKey"], 2, "INVALID_INPUT");
    await check(["type", id], 2, "USAGE");
    await check(["type", id, "a", "--file", "b"], 2, "USAGE");
    await check(["type", id, "--file", "/no/such"], 2, "USAGE");
    await check(["paste", id, "--file", "."], 2, "USAGE");
    await check(["run", id, "x", "--timeout", "0"], 2, "USAGE");
    await check(["run", id, "x", "--no-wait", "--check"], 2, "USAGE");
    await check(["wait", id], 2, "USAGE");
    await check(["wait", id, "--exit", "--after-seq", "1"], 2, "USAGE");
    await check(["wait", id, "--regex", "(a+)+$"], 2, "INVALID_WAIT_CONDITION");
    await check(["attach", id], 2, "USAGE");
    await Promise.all(
      [
        ["run", missing, "x"],
        ["type", missing, "x"],
        ["mark", missing, "x"],
        ["wait", missing, "--exit"],
        ["destroy", missing],
        ["signal", missing, "INT"],
      ].map((args) => check(args, 3, "SESSION_NOT_FOUND")),
    );
    expect(await cli.json(["destroy", id])).toMatchObject({ exitCode: 0, result: { status: "destroyed" } });
    expect(await cli.json(["destroy", id])).toMatchObject({ exitCode: 0, result: { status: "destroyed" } });
    await check(["mark", id, "x"], 4, "SESSION_ALREADY_DESTROYED");
    await check(["batch", id, '[{"type":"x"}]'], 4, "SESSION_ALREADY_DESTROYED");
    expect((await cli.json(["inspect", id])).result["status"]).toMatchObject({ value: "destroyed" });
  });

  test("--home and --json may come before or after the command, and a program receives its own flags (A14)", async () => {
    await using cli = await commandLine(binary);
    const created = await cli.start([
      "--home",
      `${cli.home}/sub`,
      "create",
      "--json",
      "--",
      "sh",
      "-c",
      'echo "[$1]"; cat',
      "sh",
      "--json",
    ]);
    const { result } = JSON.parse(created.stdout) as { result: { sessionId: string; hostPid: number } };
    const id = result.sessionId;
    const home = ["--home", `${cli.home}/sub`];
    expect((await cli.json(["wait", id, ...home, "--text", "[--json]"])).result).toMatchObject({
      matched: true,
    });
    expect((await cli.start([...home, "destroy", id])).stdout).toContain("destroyed");
    await processGone(result.hostPid);
  });
});
