import type { Session, SessionExit } from "agent-tty";
import type { InputGate, Liveness, Posture } from "../runs/index.ts";
import type { BlockCause, ObservedActivity, TestedTool } from "../tui/index.ts";
import type { ReadyWorkspace } from "../workspaces/index.ts";

/** Works on exactly one issue, in one Session, in one Coder workspace (A30). */
export interface TriageAgent {
  /** The name for people and for the stored record, e.g. `claude-code (print)`. */
  readonly name: string;
  /** The model that it is configured to use; absent: it chooses one itself, or does not report it. */
  readonly model?: string;
  /**
   * Whether the Triage Agent calls `signalActivity` (O2). If false, it counts as active until its end, and the time since the
   * last output of its terminal decides whether it is shown as needs-input or stale.
   */
  readonly signalsActivity: boolean;
  /**
   * Runs before every `run`: checks inside the Coder workspace that the Triage Agent can start, and may write the files that it
   * needs to start. Returns null when it can start, else a text that says what is missing.
   */
  preflight(context: PreflightContext): Promise<string | null>;
  /**
   * Returns the files and the program of `preflight`, if `preflight` only writes files and looks for a program. A caller that
   * also writes files of its own can then do all of that over one connection, without calling `preflight`.
   */
  launch?(files: TriageFiles): Launch;
  /** Set for a Triage Agent that works through a coding TUI, whose dialogs differ between versions. */
  readonly tui?: TriageAgentTui;
  /**
   * Runs until the Triage Agent has completed its Turn or has exited. The caller then reads the outcome file. `context.signal`
   * aborts at the run deadline or on a stop; the promise then rejects with the signal's reason.
   */
  run(context: TriageAgentContext): Promise<TriageAgentEnd>;
}

export interface TriageAgentTui {
  readonly tool: TestedTool;
  /** Returns the version that the program inside the Coder workspace reports; null when it reports none. */
  version(context: PreflightContext): Promise<string | null>;
}

/** The command and files that start a Triage Agent. */
export interface Launch {
  /** The name of a program on the Coder workspace's PATH. */
  program: string;
  files: readonly ControlFile[];
}

/** A file that we write inside the Coder workspace; `path` is absolute. */
export interface ControlFile {
  path: string;
  text: string;
}

export type PreflightContext = Pick<TriageAgentContext, "workspace" | "files" | "signal">;

export interface TriageAgentContext {
  /** bash with shell integration, at a prompt, in the checkout, with AFK_TRIAGE_* exported. */
  session: Session;
  workspace: ReadyWorkspace;
  issueNumber: number;
  files: TriageFiles;
  signal: AbortSignal;
  /** The rest of the run deadline, in milliseconds. */
  remainingMs: () => number;
  /**
   * Gives the run owner the means to reach the Triage Agent while it runs. A Triage Agent that takes no input does not call it.
   */
  offerInput: (input: TriageAgentInput) => void;
  /**
   * Called with a function that reads what the Triage Agent has used so far. That function is called when `run` rejects, and its
   * signal aborts the read. A Triage Agent that reports no usage does not call `offerUsage`. `tellsCost`: whether a cost that
   * cannot be read counts as missing.
   */
  offerUsage: (
    read: (signal: AbortSignal) => Promise<ToldUsage>,
    offered: { readonly tellsCost: boolean },
  ) => void;
  /**
   * Called when the Triage Agent's explicit final report exists (C16). The Triage Agent may still be running. Repeated calls have
   * no effect.
   */
  reportFinal: () => void;
  /** Called with the observed activity whenever it changes (O2). Repeated values are ignored. */
  signalActivity: (activity: ObservedActivity) => void;
}

/** The means to send input to a Triage Agent, and to see what it seems to be doing (H39). */
export interface TriageAgentInput {
  gate: InputGate;
  posture: (signal: AbortSignal) => Promise<Posture>;
  /** Evidence of life beyond what its Session proves. */
  liveness: (signal: AbortSignal) => Promise<Liveness>;
}

/** Absolute paths inside the Coder workspace, all outside the checkout. */
export interface TriageFiles {
  checkout: string;
  control: string;
  issue: string;
  prompt: string;
  skills: string;
  outcome: string;
}

export type TriageAgentEnd = TriageAgentEndKind & ToldUsage;

/** The usage of the model that a Triage Agent reports. */
export interface ToldUsage {
  usage: Usage;
  /**
   * The ids of its sessions with the model, as it reports them itself, so no decision may depend on them. Absent: it reports
   * none.
   */
  modelSessions?: readonly string[];
  /** Whether the Triage Agent was ended before it reported its cost. `usage.usd` then lacks that cost. */
  isCostMissing?: boolean;
}

type TriageAgentEndKind =
  /** `problem` is the error that it reported itself, for the stored record: an API error, a cost limit. */
  | { type: "finished"; exitCode: number; problem?: string }
  | { type: "timed-out"; visibleText: string }
  /** The Triage Agent was stopped, or stopped itself, because it reached the cost limit of one Triage Run (T9). */
  | { type: "over-budget" }
  /**
   * It waits for input that it will not get, for example at a login screen or a dialog that the dialog policy does not answer.
   */
  | { type: "blocked"; cause: BlockCause; reason: string; visibleText: string }
  | { type: "interrupted"; exit: SessionExit };

/** The model usage. Zeros when the Triage Agent does not report it. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  usd: number;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, usd: 0 };

/** Returns the sum of two usages, in tokens and US dollars. */
export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    usd: one.usd + other.usd,
  };
}
