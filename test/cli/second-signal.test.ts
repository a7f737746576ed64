import { expect, test, vi } from "vitest";
import { stopOnSignals, untilSignalled } from "../../src/cli/stop-on-signals.ts";
import { recordedOutput } from "../support/cli/recorded-output.ts";

test("a second signal of the same kind names the Coder workspaces that a command without a batch holds (T5)", () => {
  const output = recordedOutput();
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  try {
    using signals = stopOnSignals(output);
    signals.hold("widgets-triage-2")[Symbol.dispose]();
    using _held = signals.hold("widgets-triage-1");
    // Emitted rather than sent, because the test's own process listens as well.
    const interrupt = process.listeners("SIGINT").at(-1) as (signal: string) => void;
    interrupt("SIGINT");
    expect([signals.stop.aborted, signals.exitCode()]).toEqual([true, 130]);
    // GitHub's runner does the same to a cancelled job. The clean-up continues.
    interrupt("SIGTERM");
    expect([exit.mock.calls, signals.exitCode()]).toEqual([[], 130]);
    interrupt("SIGINT");
    expect(exit).toHaveBeenCalledWith(130);
    expect(output.lines.join()).toContain("may be left: widgets-triage-1. ");
  } finally {
    exit.mockRestore();
  }
});

test("a second signal while no Coder workspace is held does not send people to reap (T5)", () => {
  const output = recordedOutput();
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  try {
    using _signals = stopOnSignals(output);
    const interrupt = process.listeners("SIGINT").at(-1) as (signal: string) => void;
    for (let count = 1; count <= 2; count += 1) interrupt("SIGINT");
    expect(output.lines).toEqual(["second signal: exiting at once. No Coder workspace is left."]);
  } finally {
    exit.mockRestore();
  }
});

test("a stop while a question waits is reported without the error of the question", async () => {
  const output = recordedOutput();
  using signals = stopOnSignals(output);
  const interrupt = process.listeners("SIGINT").at(-1) as (signal: string) => void;
  interrupt("SIGINT");
  const question = Promise.reject(new DOMException("The operation was aborted", "AbortError"));
  const exitCode = await untilSignalled(signals, output, () => question);
  expect([exitCode, output.lines]).toEqual([130, ["stopped before there was anything to report"]]);
});

test("further SIGHUPs of a closing terminal do not count as a second signal (T5)", () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  try {
    using signals = stopOnSignals(recordedOutput());
    const hangUp = process.listeners("SIGHUP").at(-1) as (signal: string) => void;
    for (let count = 1; count <= 3; count += 1) hangUp("SIGHUP");
    expect([signals.stop.aborted, signals.exitCode(), exit.mock.calls]).toEqual([true, 143, []]);
  } finally {
    exit.mockRestore();
  }
});
