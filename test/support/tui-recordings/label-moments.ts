import { isFinalFailure } from "./final-failure.ts";
import type { Moment } from "./moment.ts";
import type { Label, Result } from "./truth.ts";

/** The state of the TUI from this time until the next transition. */
export interface Transition {
  t_ms: number;
  /** `exiting` is not scored: the TUI is about to exit or to ask a question. */
  to: Label | "exiting";
  draft: boolean;
  /** The result of the last Turn from this time on. */
  result: Result;
  basis: string;
  /** How long after the transition nothing is scored, if longer than usual. */
  guard?: number;
  /** The end of the Turn, if this transition ends one. */
  ends?: { result: Exclude<Result, "none">; intermediate: boolean };
}

interface LabelState {
  label: Label | "exiting";
  draft: boolean;
  result: Result;
  queued: number;
}

export interface LabelRules {
  asksForPermission: boolean;
  startGuardMs: number;
  /** How long after the end of a Turn the TUI may still show work; null if no longer than usual. */
  endGuardMs: number | null;
}

/** On a busy machine a TUI may react late to Enter. */
const SUBMIT_GUARD_MS = 800;
/** Derives the states of a TUI from moments in order of time: events of the model, of the input and of the process. */
export function labelMoments(moments: readonly Moment[], rules: LabelRules): Transition[] {
  const transitions: Transition[] = [];
  let state: LabelState = { label: "starting", draft: false, result: "none", queued: 0 };
  for (const [index, moment] of moments.entries()) {
    const change = changeOf(moment, state, rules, isFinalFailure(moments, index));
    if (change === null) continue;
    const { queued = state.queued, ...transition } = change;
    transitions.push({ ...transition, t_ms: moment.atMs });
    state = { label: transition.to, draft: transition.draft, result: transition.result, queued };
  }
  return transitions;
}

type Change = Omit<Transition, "t_ms"> & { queued?: number };

function changeOf(moment: Moment, state: LabelState, rules: LabelRules, isFailure: boolean): Change | null {
  const { result } = state;
  switch (moment.type) {
    case "spawned":
      return { to: "starting", draft: false, result, basis: "process spawned" };
    case "at-shell":
      return { to: "tui_down", draft: false, result, basis: "the shell has the terminal" };
    case "exited":
      return { to: "exited", draft: false, result, basis: "process exited" };
    case "shown":
      return shownChange(moment.what, state, rules);
    case "input":
      return inputChange(moment.means, state, rules);
    case "traffic":
      return state.label === "active" ? trafficChange(moment, state, rules, isFailure) : null;
    default:
      return moment satisfies never;
  }
}

function shownChange(
  what: Extract<Moment, { type: "shown" }>["what"],
  { label, draft, result }: LabelState,
  rules: LabelRules,
): Change | null {
  if (what === "permission")
    return { to: "permission_prompt", draft, result, basis: "screen: question for permission first shown" };
  if (label !== "starting") return null;
  if (what === "trust")
    return { to: "trust_dialog", draft: false, result, basis: "screen: question for trust first shown" };
  return {
    to: "ready",
    draft: false,
    result,
    basis: "screen: prompt first shown",
    guard: rules.startGuardMs,
  };
}

function inputChange(
  means: Extract<Moment, { type: "input" }>["means"],
  state: LabelState,
  rules: LabelRules,
): Change | null {
  const { label, result } = state;
  const isActive = label === "active";
  const basis = `input: ${means}`;
  switch (means) {
    case "draft":
      return { to: isActive ? "active" : "editing", draft: true, result, basis };
    case "draft_clear":
      return { to: isActive ? "active" : readyLabel(result), draft: false, result, basis };
    case "submit":
      return { to: "active", draft: false, result, basis, guard: SUBMIT_GUARD_MS };
    case "perm_accept":
      return { to: "active", draft: false, result, basis };
    case "queue":
      return { to: "active", draft: false, result, basis, queued: state.queued + 1 };
    case "interrupt":
    case "perm_reject": {
      const ends = { result: "interrupted", intermediate: false } as const;
      return {
        to: "interrupted_ready",
        draft: false,
        result: "interrupted",
        basis,
        ends,
        ...endGuard(rules),
      };
    }
    case "launch":
    case "trust_accept":
      return { to: "starting", draft: false, result, basis };
    case "menu_open":
      return { to: "menu", draft: false, result, basis };
    case "menu_close":
      return { to: readyLabel(result), draft: false, result, basis };
    case "exit":
      return { to: "exiting", draft: false, result, basis };
    default:
      return means satisfies never;
  }
}

function trafficChange(
  { traffic }: Extract<Moment, { type: "traffic" }>,
  state: LabelState,
  rules: LabelRules,
  isFailure: boolean,
): Change | null {
  const { draft, result, queued } = state;
  if (traffic.type === "tool-call" && rules.asksForPermission)
    return { to: "exiting", draft: false, result, basis: "server: tool call that needs permission" };
  if (traffic.type === "last-byte" && traffic.stop === "end-turn") {
    const ends = { result: "success", intermediate: queued > 0 } as const;
    const basis = "server: last byte of the last answer";
    if (queued > 0) return { to: "active", draft, result, basis, ends, queued: queued - 1 };
    const to = draft ? "editing" : "success_ready";
    return { to, draft, result: "success", basis, ends, ...endGuard(rules) };
  }
  if (!isFailure) return null;
  const ends = { result: "known_failure", intermediate: false } as const;
  const basis = `server: ${traffic.type} and no further attempt`;
  return { to: draft ? "editing" : "failed_ready", draft, result: "known_failure", basis, ends };
}

function endGuard({ endGuardMs }: LabelRules): Pick<Transition, "guard"> {
  return endGuardMs === null ? {} : { guard: endGuardMs };
}

function readyLabel(result: Result): Label {
  const labels = {
    none: "ready",
    success: "success_ready",
    interrupted: "interrupted_ready",
    known_failure: "failed_ready",
  } as const;
  return labels[result];
}
