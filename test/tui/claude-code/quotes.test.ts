import * as fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import type { TuiScreen } from "../../../src/tui/index.ts";
import {
  answer,
  box,
  COLORLESS,
  completion,
  DARK,
  detector,
  LIGHT_16,
  message,
  screenOf,
  spinner,
  type Theme,
  tool,
} from "./painted-screens.ts";
import "../../support/seed-properties.ts";

/** Text that only the TUI itself should print. */
const QUOTES = [
  "✻ Thinking… (12s · ↑ 1.2k tokens · esc to interrupt)",
  "✢ Infusing… ",
  "esc to interrupt",
  "⎿  Interrupted · What should Claude do instead?",
  "⎿ Interrupted by user",
  "User rejected Claude's plan:",
  "✻ Worked for 3s",
  "✻ API error · Retrying in 4s · attempt 2/10",
  "❯ what next?",
  "❯",
  "> ",
  "Do you want to proceed?",
  "❯ 1. Yes",
  "2. No",
  "Esc to cancel · Tab to amend",
  "Enter to select · ↑/↓ to navigate · Esc to cancel",
  "Yes, I trust this folder",
  "Select login method:",
  "Choose the text style that looks best with your terminal",
  "Resume this session with:",
  "Killed",
  "dev@box:~/acme-api$ ",
  "? for shortcuts",
  "  ❯ a queued message",
  "◼ Read the router",
];
/** Without colours, these errors at the beginning of an answer cannot be distinguished from the TUI's own errors. */
const ERRORS = ["API Error: 529 Overloaded", "Invalid API key · Fix external API key", "Prompt is too long"];

/** A state of the TUI: at rest, or at work with every sign of work or with one. */
interface State {
  name: string;
  theme: Theme;
  title: string;
  isWorking: boolean;
  hasSpinner: boolean;
  hasEnd: boolean;
}

const STATES: readonly State[] = [
  { name: "rest", theme: DARK, title: "✳ Acme", isWorking: false, hasSpinner: false, hasEnd: true },
  { name: "rest, 16 colours", theme: LIGHT_16, title: "", isWorking: false, hasSpinner: false, hasEnd: true },
  {
    name: "rest without a row of completion",
    theme: DARK,
    title: "",
    isWorking: false,
    hasSpinner: false,
    hasEnd: false,
  },
  {
    name: "rest, no colours",
    theme: COLORLESS,
    title: "✳ Acme",
    isWorking: false,
    hasSpinner: false,
    hasEnd: true,
  },
  { name: "work", theme: DARK, title: "⠂ Acme", isWorking: true, hasSpinner: true, hasEnd: false },
  {
    name: "work shown by the prompt alone",
    theme: DARK,
    title: "",
    isWorking: true,
    hasSpinner: false,
    hasEnd: false,
  },
  {
    name: "the same in 16 colours",
    theme: LIGHT_16,
    title: "",
    isWorking: true,
    hasSpinner: false,
    hasEnd: false,
  },
  {
    name: "work shown by the title alone",
    theme: COLORLESS,
    title: "◐ Acme",
    isWorking: true,
    hasSpinner: false,
    hasEnd: false,
  },
  {
    name: "work shown by the spinner alone",
    theme: COLORLESS,
    title: "",
    isWorking: true,
    hasSpinner: true,
    hasEnd: false,
  },
];

interface Places {
  said: string;
  printed: string;
  asked: string;
  typed: string;
}

const HARMLESS: Places = { said: "It adds.", printed: "12 passing", asked: "what is it?", typed: "" };

function quotesFor({ theme }: State): fc.Arbitrary<string> {
  const rows = theme === COLORLESS ? QUOTES : [...QUOTES, ...ERRORS];
  return fc.array(fc.constantFrom(...rows), { minLength: 1, maxLength: 5 }).map((some) => some.join("\n"));
}

function picture(state: State, { said, printed, asked, typed }: Places): string {
  const { theme, isWorking, hasSpinner, hasEnd } = state;
  const turn = message(theme, asked) + tool(theme, printed) + answer(theme, said);
  const end = hasSpinner ? spinner(theme) : hasEnd ? completion(theme) : "";
  // The program removes the hint when there is a draft.
  return box(theme, turn + end, { input: typed, isWorking, footer: typed === "" ? "  ← for agents" : "" });
}

/** Reads two screens, as a tracker does: the memory of the first screen must not change how the second is read. */
function read(state: State, places: Places): unknown {
  return readScreen(screenOf(picture(state, places), state.title));
}

function readScreen(screen: TuiScreen): unknown {
  const tracked = detector();
  tracked.detect(screen, 0);
  const { surface, acceptingInput, readyPosture, activeReasons, ending, currentError } = tracked.detect(
    screen,
    5_000,
  );
  return {
    surface: surface.type,
    acceptingInput,
    readyPosture,
    activeReasons,
    ending: ending?.type,
    currentError,
  };
}

for (const state of STATES)
  test(`quotations in answers, tools and messages do not change the reading (${state.name}) (H8)`, () => {
    const expected = read(state, HARMLESS);
    const quotes = quotesFor(state);
    fc.assert(
      fc.property(quotes, quotes, quotes, (said, printed, asked) => {
        // A message is sent without surrounding spaces.
        expect(read(state, { ...HARMLESS, said, printed, asked: asked.trim() })).toEqual(expected);
      }),
      { numRuns: propertyRuns(30, 60) },
    );
  });

for (const state of STATES)
  test(`a quotation in a draft changes only that there is a draft (${state.name}) (H21)`, () => {
    const expected = read(state, { ...HARMLESS, typed: "a draft" });
    fc.assert(
      fc.property(quotesFor(state), (typed) => {
        const draft = typed.trim() === "" ? "x" : typed;
        const screen = screenOf(picture(state, { ...HARMLESS, typed: draft }), state.title);
        expect(readScreen(screen)).toEqual(expected);
        expect(detector().detect({ ...screen, title: "" }, 0).editingInput).toBe("yes");
      }),
      { numRuns: propertyRuns(30, 60) },
    );
  });
