import type { Meaning } from "../../test/support/tui-recordings/index.ts";
import type { Traffic } from "../../test/support/model-server/index.ts";
import type { PreparedTool } from "./preparation.ts";
import type { Step } from "./scenario.ts";
import type { Session } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { execa } from "execa";

/** A person's typing pace, which is also far too slow for a TUI to take it for a paste. */
const KEY_PAUSE_MS = 45;
const STEP_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 50;
const SETTLE_MS = 3_000;
/** Longer than any pause between two attempts of a tool whose number of attempts is limited. */
const GIVEN_UP_AFTER_MS = 8_000;

/** The environment of a performance. Other code changes it during the performance. */
export interface Stage {
  session: Session;
  tool: PreparedTool;
  /** Everything that the server has seen so far. */
  traffic: readonly Traffic[];
  /** The command that starts the tool at a shell's prompt. */
  commandLine: string;
  /** Called when the shell that started the tool has the terminal again. */
  noteShell: () => void;
}

/** The meaning of each input of a performance, by its sequence in the Event Log. */
export type Meanings = ReadonlyMap<number, Meaning>;

/** Performs the person's steps of the scenario. Rejects with the awaited condition and the screen if a step takes too long. */
export async function perform(steps: readonly Step[], stage: Stage): Promise<Meanings> {
  const meanings = new Map<number, Meaning>();
  for (const step of steps) await takeStep(step, stage, meanings);
  return meanings;
}

async function takeStep(step: Step, stage: Stage, meanings: Map<number, Meaning>): Promise<void> {
  const { session, tool, traffic } = stage;
  const last = (): Traffic | undefined => traffic.findLast(({ type }) => type !== "side-request");
  switch (step.do) {
    case "await": {
      const pattern = shownPattern(tool, step.shown);
      return until(stage, `the ${step.shown}`, async () =>
        pattern.test((await session.snapshot()).visibleLines.join("\n")),
      );
    }
    case "accept-trust":
      await until(stage, "the row that trusts the folder", async () => {
        const { visibleLines } = await session.snapshot();
        if (tool.trustSelected.test(visibleLines.join("\n"))) return true;
        await session.sendKeys(["Down"]);
        await systemClock.sleep(KEY_PAUSE_MS * 4);
        return false;
      });
      return pressKeys({ do: "keys", means: "trust_accept", keys: ["Enter"] }, session, meanings);
    case "await-text":
      return until(stage, step.text, async () =>
        (await session.snapshot()).visibleLines.some((line) => line.includes(step.text)),
      );
    case "await-traffic":
      return until(
        stage,
        `${step.times} × ${step.type}`,
        async () => traffic.filter(({ type }) => type === step.type).length >= step.times,
      );
    case "await-give-up":
      return until(stage, "the tool to give up", async () => {
        const { type, wallMs } = last() ?? { type: "none", wallMs: 0 };
        const isFailure = type === "error-sent" || type === "disconnected";
        return isFailure && systemClock.nowMs() - wallMs > GIVEN_UP_AFTER_MS;
      });
    case "type":
      for (const [index, character] of Array.from(step.text).entries()) {
        const seq = await session.type(character);
        if (index === 0) meanings.set(seq, step.means);
        await systemClock.sleep(KEY_PAUSE_MS);
      }
      return;
    case "keys": {
      const keys = step.means === "interrupt" ? (tool.interruptKeys ?? step.keys) : step.keys;
      return pressKeys({ ...step, keys }, session, meanings);
    }
    case "pause":
      return systemClock.sleep(step.ms);
    case "settle":
      return systemClock.sleep(SETTLE_MS + (tool.endGuardMs ?? 0));
    case "resize":
      return void (await session.resize(step.cols, step.rows));
    case "paste":
      meanings.set(await session.paste(step.text), "draft");
      return;
    case "launch":
      await session.type(stage.commandLine);
      return pressKeys({ do: "keys", means: "launch", keys: ["Enter"] }, session, meanings);
    case "await-shell":
      await until(stage, "the shell", () => hasTerminal(session.pid));
      return stage.noteShell();
    case "kill":
      await session.signal("SIGKILL");
      return stage.noteShell();
    case "await-exit":
      await session.exited;
      return;
    default:
      step satisfies never;
  }
}

/** Presses the keys. The last key has the step's meaning, except when leaving a tool, where the first key may be enough. */
async function pressKeys(
  { keys, means }: Extract<Step, { do: "keys" }>,
  session: Session,
  meanings: Map<number, Meaning>,
): Promise<void> {
  const decisive = means === "exit" ? 0 : keys.length - 1;
  for (const [index, key] of keys.entries()) {
    if (session.status() !== "running") return;
    const seq = await session.sendKeys([key]);
    if (index === decisive) meanings.set(seq, means);
    await systemClock.sleep(index === keys.length - 1 ? 0 : KEY_PAUSE_MS * 4);
  }
}

/** Returns whether the process's group is in the foreground of its terminal. */
async function hasTerminal(pid: number): Promise<boolean> {
  const { stdout } = await execa("ps", ["-o", "tpgid=", "-p", String(pid)]);
  return Number(stdout.trim()) === pid;
}

function shownPattern(tool: PreparedTool, what: Extract<Step, { do: "await" }>["shown"]): RegExp {
  return { prompt: tool.promptShown, trust: tool.trustShown, permission: tool.permissionShown }[what];
}

async function until(stage: Stage, what: string, holds: () => Promise<boolean>): Promise<void> {
  const endMs = systemClock.monotonicMs() + STEP_LIMIT_MS;
  while (!(await holds())) {
    if (systemClock.monotonicMs() > endMs || stage.session.status() !== "running") {
      const { visibleLines } = await stage.session.snapshot();
      throw new Error(`waited for ${what}, which did not come; the screen was:\n${visibleLines.join("\n")}`);
    }
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}
