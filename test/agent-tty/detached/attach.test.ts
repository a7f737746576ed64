import { readFile } from "node:fs/promises";
import { type DetailedSnapshot, detailedSnapshotResult, type Session } from "agent-tty";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engine, PATIENT } from "../engine-fixture.ts";
import { type Binary, BUILD_PATIENCE_MS, bundledBinary, commandLine } from "./command-line.ts";

let binary: Binary;
beforeAll(async () => {
  binary = await bundledBinary();
}, BUILD_PATIENCE_MS);
afterAll(() => binary[Symbol.asyncDispose]());

const checkSees = async (person: Session, text: string): Promise<void> => {
  expect(await person.wait({ text }, PATIENT)).toMatchObject({ type: "matched" });
};

/** Returns cells and modes in the form that the command line prints. */
function snapshotCellsOf(snapshot: DetailedSnapshot): { cells: unknown[]; modes: unknown } {
  const result = detailedSnapshotResult("any", snapshot, "structured", { cells: true, scrollback: false });
  if (result.format !== "structured") throw new Error("not structured");
  return { cells: result.cells ?? [], modes: result.modes };
}

/**
 * The command line of a person's terminal: a shell that prints how attach ended and whether the terminal is the same as before.
 */
const attachOf = (id: string, flags = "") =>
  `before=$(stty -g); node "$BINARY" attach ${id} ${flags}; echo "code $?"; [ "$before" = "$(stty -g)" ] && echo same terminal`;

describe("attach", { timeout: 90_000 }, () => {
  test("attach shows the screen, sends typed text and sizes, and detaches with Ctrl-\\ d (A13, A20)", async () => {
    await using cli = await commandLine(binary);
    await using person = await engine();
    const id = await cli.create(
      "sh",
      "-c",
      'stty -echo; echo early; while read x; do echo "got $x"; stty size; done',
    );
    await cli.json(["wait", id, "--text", "early"]);
    const env = { ...person.env, AGENT_TTY_HOME: cli.home, BINARY: binary.path };
    const terminal = await person.create({ command: ["sh", "-c", attachOf(id)], env, cols: 77, rows: 21 });
    await checkSees(terminal, "early");
    await terminal.type("héllo\r");
    await checkSees(terminal, "got héllo");
    await checkSees(terminal, "21 77");
    await terminal.resize(66, 20);
    await expect
      .poll(
        async () => {
          await terminal.type("again\r");
          return (await terminal.wait({ text: "20 66" }, { callerTimeoutMs: 300 })).type;
        },
        { timeout: 10_000 },
      )
      .toBe("matched");
    await terminal.type("\x1cd");
    await checkSees(terminal, "code 0");
    await checkSees(terminal, "same terminal");
    expect((await cli.json(["inspect", id])).result["status"]).toMatchObject({ value: "running" });
  });

  test("attach paints the current screen with its styles, and encodes keys as the program asked (A8, A13)", async () => {
    await using cli = await commandLine(binary);
    await using person = await engine();
    const styled = [
      "\\033[1;31mred\\033[0m \\033[4:3;58;5;9mcurly\\033[0m \\033[38;5;200;48;2;1;2;3mmixed\\033[0m",
      "\\033[92;104mbright\\033[0m \\033[7mback\\033[0m 日本 \\033[2;3;9mfaint\\033[0m",
    ].join("\\n");
    const program = `stty -echo; printf '\\033[?1049h\\033[?1h\\033[?2004h\\033[2J\\033[H${styled}\\nready\\n'; cat -v`;
    const id = await cli.create("sh", "-c", program);
    await cli.json(["wait", id, "--text", "ready"]);
    const env = { ...person.env, AGENT_TTY_HOME: cli.home, BINARY: binary.path };
    const terminal = await person.create({ command: ["sh", "-c", attachOf(id)], env, cols: 80, rows: 24 });
    await checkSees(terminal, "ready");
    const seen = snapshotCellsOf(await terminal.detailedSnapshot());
    const { result } = await cli.json(["snapshot", id, "--format", "structured", "--include-cells"]);
    expect(seen.cells.slice(0, 2)).toEqual((result["cells"] as unknown[]).slice(0, 2));
    expect(seen.modes).toMatchObject({
      alternateScreen: true,
      applicationCursor: true,
      bracketedPaste: true,
    });
    await terminal.sendKeys(["Up", "Enter"]);
    await checkSees(terminal, "^[OA");
    await terminal.type("\x1cd");
    await checkSees(terminal, "same terminal");
  });

  test("attach --read-only sends nothing, and detaches like any other (A13)", async () => {
    await using cli = await commandLine(binary);
    await using person = await engine();
    const id = await cli.create("cat");
    const env = { ...person.env, AGENT_TTY_HOME: cli.home, BINARY: binary.path };
    const terminal = await person.create({ command: ["sh", "-c", attachOf(id, "--read-only")], env });
    await cli.json(["type", id, "shown\n"]);
    await checkSees(terminal, "shown");
    await terminal.type("unheard\r");
    await terminal.type("\x1cd");
    await checkSees(terminal, "same terminal");
    const events = await readFile(`${cli.home}/sessions/${id}/events.jsonl`, "utf8");
    expect(events).not.toMatch(/unheard|"type":"resize"/);
  });

  test("the terminal is restored when the Session ends, and when its host is killed (A18)", async () => {
    await using cli = await commandLine(binary);
    await using person = await engine();
    const env = { ...person.env, AGENT_TTY_HOME: cli.home, BINARY: binary.path };
    const ending = await cli.create("sh", "-c", "echo here; read x; echo bye");
    const first = await person.create({ command: ["sh", "-c", attachOf(ending)], env });
    await checkSees(first, "here");
    await first.type("\r");
    await checkSees(first, "same terminal");
    await checkSees(first, "has exited");
    const losing = await cli.create("sh", "-c", "echo there; cat");
    const second = await person.create({ command: ["sh", "-c", attachOf(losing)], env });
    await checkSees(second, "there");
    process.kill((await cli.manifest(losing)).hostPid, "SIGKILL");
    await checkSees(second, "same terminal");
    await checkSees(second, "lost");
  });
});
