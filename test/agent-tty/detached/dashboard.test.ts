import type { Session } from "agent-tty";
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

describe("dashboard", { timeout: 90_000 }, () => {
  test("the dashboard shows the active Sessions and the selected one's screen, follows both, and restores the terminal (A14)", async () => {
    await using cli = await commandLine(binary);
    await using person = await engine();
    const first = await cli.create("sh", "-c", "printf 'of the \\033[31mfirst\\n'; cat");
    const second = await cli.create("sh", "-c", "echo of the second; cat");
    const env = { ...person.env, AGENT_TTY_HOME: cli.home, BINARY: binary.path };
    const line =
      'before=$(stty -g); node "$BINARY" dashboard; [ "$before" = "$(stty -g)" ] && echo same terminal';
    const terminal = await person.create({ command: ["sh", "-c", line], env });
    await checkSees(terminal, "2 active Sessions");
    await checkSees(terminal, first);
    await checkSees(terminal, "of the second");
    await cli.json(["type", second, "typed meanwhile\n"]);
    await checkSees(terminal, "typed meanwhile");
    await terminal.sendKeys(["Up"]);
    await checkSees(terminal, "of the first");
    await cli.json(["destroy", second]);
    await checkSees(terminal, "1 active Sessions");
    await terminal.type("q");
    await checkSees(terminal, "same terminal");
  });

  test("the dashboard without a terminal is a usage error (A14)", async () => {
    await using cli = await commandLine(binary);
    expect(await cli.json(["dashboard"])).toMatchObject({ exitCode: 2, error: { code: "USAGE" } });
  });
});
