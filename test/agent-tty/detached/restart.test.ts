import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Binary, BUILD_PATIENCE_MS, bundledBinary, commandLine } from "./command-line.ts";

let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

describe("restart, idle timeout and combined waits", { timeout: 90_000 }, () => {
  test("restart continues the same Session with new hooks, and only after it has exited (L11)", async () => {
    await using cli = await commandLine(binary);
    const created = await cli.json(["create", "--name", "phoenix", "--", "bash", "--norc"]);
    const id = String(created.result["sessionId"]);
    expect(await cli.json(["restart", id])).toMatchObject({ exitCode: 2, error: { code: "INVALID_INPUT" } });
    await cli.json(["run", id, "echo first life; exit 3"]);
    const again = await cli.json(["restart", id, "--env", "LIFE=second"]);
    expect(again).toMatchObject({
      ok: true,
      result: { sessionId: id, status: "running", name: "phoenix", cols: 120, rows: 40 },
    });
    expect(again.result["hostPid"]).not.toBe(created.result["hostPid"]);
    const run = await cli.json(["run", id, 'echo "$LIFE life"; (exit 7)']);
    expect(run.result).toMatchObject({ completed: true, exitCode: 7 });
    const shown = await cli.json(["snapshot", id]);
    expect(shown.result["text"]).toMatch(/first life[^]*── restarted[^]*second life/);
    await cli.json(["destroy", id]);
    expect(await cli.json(["restart", id])).toMatchObject({ exitCode: 4 });
  });

  test("--idle-timeout ends the program after silence, and the reason is recorded (L11)", async () => {
    await using cli = await commandLine(binary);
    const created = await cli.json(["create", "--idle-timeout", "300ms", "--", "cat"]);
    const id = String(created.result["sessionId"]);
    expect((await cli.json(["wait", id, "--exit", "--timeout", "20000"])).result).toMatchObject({
      matched: true,
    });
    const { result } = await cli.json(["inspect", id]);
    expect(result["termination"]).toMatchObject({ reason: "no input and no output for 300 ms" });
    for (const bad of ["0", "30", "30d", "soon"])
      expect((await cli.json(["create", "--idle-timeout", bad, "--", "cat"])).exitCode).toBe(2);
  });

  test("wait combines exit and idleness with screen conditions (A19)", async () => {
    await using cli = await commandLine(binary);
    const script = "echo one; read x; echo two; exit 3";
    const [id, other] = [await cli.create("sh", "-c", script), await cli.create("sh", "-c", script)];
    const quiet = await cli.json(["wait", id, "--idle-ms", "50", "--text", "one"]);
    expect(quiet.result).toMatchObject({ matched: true, matchedText: "one" });
    const late = await cli.json(["wait", id, "--idle-ms", "50", "--text", "two", "--timeout", "200"]);
    expect(late).toMatchObject({ exitCode: 11, result: { timedOut: true, visibleText: "one" } });
    const ended = cli.json(["wait", id, "--exit", "--text", "two"]);
    const never = cli.json(["wait", other, "--exit", "--text", "three"]);
    for (const session of [id, other]) await cli.json(["type", session, "x\n"]);
    expect((await ended).result).toMatchObject({ matched: true, matchedText: "two", exitCode: 3 });
    expect(await never).toMatchObject({ exitCode: 4, result: { matched: false, timedOut: false } });
    const offline = await cli.json(["wait", id, "--exit", "--idle-ms", "50", "--text", "two"]);
    expect(offline.result).toMatchObject({ matched: true, matchedText: "two" });
    expect((await cli.json(["wait", id, "--exit", "--text", "three"])).exitCode).toBe(4);
  });
});
