import type { Session, SessionExit } from "agent-tty";
import type { InputGate, Liveness, Posture } from "../runs/index.ts";
import type { BlockCause, ObservedActivity, TestedTool } from "../tui/index.ts";
import type { ReadyWorkspace } from "../workspaces/index.ts";

/** A30: one Triage Agent works on exactly one issue, in one Session, in one Coder workspace. */
export interface TriageAgent {
  /** For people and the record, e.g. `claude-code (print)`. */
  readonly name: string;
  /** The model it is told to use; absent: it chooses, or does not say. */
  readonly model?: string;
  /**
   * Whether the Triage Agent calls `signalActivity` (O2). If false, it counts as active until its end, and the silence of its
   * terminal decides whether it is shown as needs-input or stale.
   */
  readonly signalsActivity: boolean;
  /**
   * Before every `run`: checks inside the Coder workspace that it can start at all, and may put there what it starts from.
   * null when it can start, else what is missing.
   */
  preflight(context: PreflightContext): Promise<string | null>;
  /**
   * All that `preflight` does, where that is to put files there and to look for a program: a caller that writes files of its
   * own does both over the same connection, and leaves `preflight` out.
   */
  launch?(files: TriageFiles): Launch;
  /** Set for a Triage Agent that works through a coding TUI, whose dialogs differ between versions. */
  readonly tui?: TriageAgentTui;
  /**
   * Runs until the agent's turn is completed or it exits. The outcome file is read by the caller afterwards.
   * The signal is the run deadline or a stop; it rejects with the signal's reason.
   */
  run(context: TriageAgentContext): Promise<TriageAgentEnd>;
}

export interface TriageAgentTui {
  readonly tool: TestedTool;
  /** The version that the program inside the Coder workspace reports; null when it reports none. */
  version(context: PreflightContext): Promise<string | null>;
}

/** The command and files that start a Triage Agent. */
export interface Launch {
  /** On the Coder workspace's PATH. */
  program: string;
  files: readonly ControlFile[];
}

/** A file of ours inside the Coder workspace; `path` is absolute. */
export interface ControlFile {
  path: string;
  text: string;
}

export type PreflightContext = Pick<TriageAgentContext, "workspace" | "files" | "signal">;

export interface TriageAgentContext {
  /** bash with shell integration, at a prompt, its working directory the checkout, AFK_TRIAGE_* exported. */
  session: Session;
  workspace: ReadyWorkspace;
  issueNumber: number;
  files: TriageFiles;
  signal: AbortSignal;
  /** The rest of the run deadline, in milliseconds. */
  remainingMs: () => number;
  /** Tells the run's owner how to reach the Triage Agent while it runs; one that takes no input offers nothing. */
  offerInput: (input: TriageAgentInput) => void;
  /**
   * Tells how to read what it has used so far: asked when `run` rejects, and given up with the signal. One that tells no usage
   * offers nothing.
   */
  offerUsage: (read: (signal: AbortSignal) => Promise<ToldUsage>) => void;
  /** C16: its explicit final report is there, and it may still be at work; saying it again is no news. */
  reportFinal: () => void;
  /** O2: what it is seen to do, whenever that changes; saying it again is no news. */
  signalActivity: (activity: ObservedActivity) => void;
}

/** H39: a Triage Agent that can be talked to, and what it seems to be doing. */
export interface TriageAgentInput {
  gate: InputGate;
  posture: (signal: AbortSignal) => Promise<Posture>;
  /** Beside what its Session proves. */
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

/** What a Triage Agent tells of its use of the model. */
export interface ToldUsage {
  usage: Usage;
  /** The ids under which it talked to its model, as it tells them itself: nothing may rest on them. Absent: it tells none. */
  modelSessions?: readonly string[];
  /** It was ended before it told its cost, which `usage.usd` therefore lacks. */
  isCostMissing?: boolean;
}

type TriageAgentEndKind =
  /** `problem` is the error it reported itself, for the record: an API error, a cost limit. */
  | { type: "finished"; exitCode: number; problem?: string }
  | { type: "timed-out"; visibleText: string }
  /** T9: it was stopped, or stopped itself, because it had used up what one Triage Run may cost. */
  | { type: "over-budget" }
  /** It waits for something no one will give it: a login screen, a dialog policy does not answer. */
  | { type: "blocked"; cause: BlockCause; reason: string; visibleText: string }
  | { type: "interrupted"; exit: SessionExit };

/** The model usage. Zeros when the Triage Agent does not report it. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  usd: number;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, usd: 0 };

/** The sum of two usages, in tokens and US dollars. */
export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    usd: one.usd + other.usd,
  };
}
