import type { Command } from "commander";
import { openCommandHome } from "./command-home.ts";
import type { LaunchedHost } from "../daemon/index.ts";
import { addCreateCommands } from "./create-commands.ts";
import { inputText } from "./input-text.ts";
import type { InputCall } from "./commands/input.ts";
import type { Finish } from "./report.ts";
import type { StopSignal } from "./stop-signal.ts";
import type { WaitFlags } from "./wait-flags.ts";
import { usageError, wholeNumber } from "./usage.ts";

type AddCommand = (name: string, description: string, json?: string) => Command;

const ITS_END = "its end, or an error, as one JSON document on stdout";

const LARGEST_TIMEOUT_MS = 2_147_483_647;

interface HomeOption {
  home?: string;
}

/** Adds the commands that start, drive and watch live Sessions. `launched` is a host process that `create` may take. */
export function addLiveCommands(
  add: AddCommand,
  signal: StopSignal,
  finish: Finish,
  launched: LaunchedHost | null,
): void {
  addCreateCommands(add, signal, finish, launched);
  addRun(add, signal, finish);
  addInput(add, finish);
  addWait(add, signal, finish);
  addBatch(add, signal, finish);

  add("attach <id>", "connect this terminal to the live Session; Ctrl-\\ d detaches", ITS_END)
    .option("--read-only", "watch only, send nothing")
    .action(async (id: string, options: HomeOption & { readOnly?: boolean }) => {
      const { attach } = await import("./commands/attach.ts");
      const home = await openCommandHome(options.home);
      finish("attach", await attach(home, id, { isReadOnly: options.readOnly ?? false, signal: signal() }));
    });

  add("dashboard", "the active Sessions and the screen of one of them", ITS_END).action(
    async (options: HomeOption) => {
      const { dashboard } = await import("./commands/dashboard.ts");
      finish("dashboard", await dashboard(await openCommandHome(options.home), signal()));
    },
  );

  add("destroy <id>", "end a Session: SIGHUP first, then SIGKILL")
    .option("--force", "send SIGKILL at once")
    .action(async (id: string, options: HomeOption & { force?: boolean }) => {
      const { destroy } = await import("./commands/destroy.ts");
      finish("destroy", await destroy(await openCommandHome(options.home), id, options.force ?? false));
    });
}

function addRun(add: AddCommand, signal: StopSignal, finish: Finish): void {
  add("run <id> [command]", "run a shell command in a Session and wait for its end")
    .option("--timeout <ms>", "how long to wait", "30000")
    .option("--no-wait", "type it and return")
    .option("--file <file>", "the command, from a file")
    .option("--check", "end with the command's own exit code")
    .action(
      async (
        id: string,
        command: string | undefined,
        options: HomeOption & { timeout: string; wait: boolean; file?: string; check?: boolean },
      ) => {
        const timeoutMs = timeout(options.timeout, 1);
        if (!options.wait && options.check === true)
          throw usageError("--check is about the end, and --no-wait does not wait for it", "Leave one out");
        const commandLine = await inputText("the command", command, options.file);
        const { run } = await import("./commands/run.ts");
        const home = await openCommandHome(options.home);
        const checks = options.check ?? false;
        finish("run", await run(home, id, { commandLine, timeoutMs, waits: options.wait, checks }, signal()));
      },
    );
}

function addInput(add: AddCommand, finish: Finish): void {
  const send = async (command: string, id: string, options: HomeOption, call: InputCall): Promise<void> => {
    const { input } = await import("./commands/input.ts");
    finish(command, await input(await openCommandHome(options.home), id, call));
  };
  for (const method of ["type", "paste"] as const) {
    add(
      `${method} <id> [text]`,
      method === "type" ? "type text" : "paste text, with bracketed paste if the program enabled it",
    )
      .option("--file <file>", "the text, from a file")
      .action(async (id: string, text: string | undefined, options: HomeOption & { file?: string }) =>
        send(method, id, options, { method, text: await inputText("the text", text, options.file) }),
      );
  }
  add("send-keys <id> <key...>", "press keys such as Enter, Ctrl+C, Up").action(
    (id: string, keys: string[], options: HomeOption) =>
      send("send-keys", id, options, { method: "send-keys", keys }),
  );
  add("mark <id> <label>", "put a label into the Event Log").action(
    (id: string, label: string, options: HomeOption) => send("mark", id, options, { method: "mark", label }),
  );
  add("resize <id>", "change the size of the terminal")
    .requiredOption("--cols <n>", "columns")
    .requiredOption("--rows <n>", "rows")
    .action((id: string, options: HomeOption & { cols: string; rows: string }) => {
      const [cols, rows] = [wholeNumber("--cols", options.cols, 1), wholeNumber("--rows", options.rows, 1)];
      return send("resize", id, options, { method: "resize", cols, rows });
    });
  add("signal <id> <signal>", "send a signal to the foreground job").action(
    (id: string, signal: string, options: HomeOption) =>
      send("signal", id, options, { method: "signal", signal }),
  );
}

interface WaitOptions extends HomeOption, WaitFlags {
  timeout: string;
}

function addWait(add: AddCommand, signal: StopSignal, finish: Finish): void {
  add("wait <id>", "wait until the screen shows something, the Session is idle, or its program has ended")
    .option("--text <text>", "visible text")
    .option("--regex <pattern>", "visible text that matches")
    .option("--cursor-row <n>", "0-based")
    .option("--cursor-col <n>", "0-based")
    .option("--screen-stable-ms <ms>", "visible text unchanged for this long")
    .option("--idle-ms <ms>", "no event for this long")
    .option("--exit", "the end of the program")
    .option("--after-seq <n>", "only a screen beyond this event counts")
    .option("--timeout <ms>", "how long to wait; 0 waits without end", "600000")
    .action(async (id: string, options: WaitOptions) => {
      const timeoutMs = timeout(options.timeout, 0);
      const { awaitedOf } = await import("./wait-flags.ts");
      const awaited = awaitedOf(options);
      const { wait } = await import("./commands/wait.ts");
      const home = await openCommandHome(options.home);
      const limit = { timeoutMs: timeoutMs === 0 ? null : timeoutMs, signal: signal() };
      finish("wait", await wait(home, id, awaited, limit));
    });
}

function addBatch(add: AddCommand, signal: StopSignal, finish: Finish): void {
  add("batch <id> [steps]", "several steps, as a JSON array, over one connection")
    .option("--file <file>", "the steps, from a file")
    .option("--keep-going", "continue after a failed step")
    .action(
      async (
        id: string,
        steps: string | undefined,
        options: HomeOption & { file?: string; keepGoing?: boolean },
      ) => {
        const source = await inputText("the array of steps", steps, options.file);
        const { batch } = await import("./commands/batch.ts");
        const home = await openCommandHome(options.home);
        const keepsGoing = options.keepGoing ?? false;
        finish("batch", await batch(home, id, source, { keepsGoing, signal: signal() }));
      },
    );
}

function timeout(text: string, min: number): number {
  const value = wholeNumber("--timeout", text, min);
  if (value <= LARGEST_TIMEOUT_MS) return value;
  throw usageError(`--timeout takes at most ${LARGEST_TIMEOUT_MS} ms, not ${text}`, "Correct the flag");
}
