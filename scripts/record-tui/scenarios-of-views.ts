import { say, stream } from "../../test/support/model-server/index.ts";
import type { Exchange, Scenario, Step } from "./scenario.ts";
import { answered, ask, ESSAY, FIRST_BYTE, pause, prompt, START } from "./scenario-steps.ts";

const DONE: Exchange = ask("just say done", say("Done."));
const AFTER_A_TURN: Step[] = [START, ...prompt("just say done"), ...answered(1)];

/** Returns a scenario in which a view is opened after a Turn and closed with Esc. */
function view(name: string, about: string, opening: readonly Step[]): Scenario {
  const closing: Step = { do: "keys", means: "menu_close", keys: ["Escape"] };
  return {
    name,
    about: `${about}, opened after a Turn and closed, then another Turn`,
    tools: ["claude"],
    exchanges: [DONE, ask("just say more", say("More."))],
    steps: [
      ...AFTER_A_TURN,
      ...opening,
      pause(3_500),
      closing,
      pause(2_000),
      ...prompt("just say more"),
      ...answered(2),
    ],
  };
}

/** Scenarios with views over or next to the prompt. */
export const VIEW_SCENARIOS: readonly Scenario[] = [
  view("view_model", "the picker of models", [
    { do: "type", means: "menu_open", text: "/model" },
    pause(800),
    { do: "keys", means: "menu_open", keys: ["Enter"] },
  ]),
  view("view_resume", "the list of earlier conversations", [
    { do: "type", means: "menu_open", text: "/resume" },
    pause(800),
    { do: "keys", means: "menu_open", keys: ["Enter"] },
  ]),
  view("view_rewind", "the list of messages to go back to", [
    { do: "keys", means: "menu_open", keys: ["Escape", "Escape"] },
  ]),
  view("view_tasks", "the list of background tasks", [
    { do: "type", means: "menu_open", text: "/tasks" },
    pause(800),
    { do: "keys", means: "menu_open", keys: ["Enter"] },
  ]),
  {
    name: "transcript",
    about: "the transcript view opened after a Turn, and closed",
    tools: ["claude"],
    exchanges: [DONE],
    steps: [
      ...AFTER_A_TURN,
      { do: "keys", means: "menu_open", keys: ["Ctrl+O"] },
      pause(3_000),
      { do: "keys", means: "menu_close", keys: ["Ctrl+O"] },
      pause(3_000),
    ],
  },
  {
    name: "vim",
    about: "vim keys: a draft left in normal mode while an answer streams, and under its end",
    tools: ["claude"],
    preferences: { editorMode: "vim" },
    exchanges: [
      ask("write about queues", stream({ type: "text", text: `${ESSAY}\n\n${ESSAY}`, everyMs: 80 })),
    ],
    steps: [
      START,
      ...prompt("write about queues"),
      FIRST_BYTE,
      pause(1_000),
      { do: "type", means: "draft", text: "and about stacks" },
      ...answered(1),
    ],
  },
  {
    name: "multi_line",
    about: "a draft of several lines that begins like a command's output, sent as one message",
    exchanges: [ask("one\ntwo\nthree", stream({ type: "text", text: ESSAY, everyMs: 60 }))],
    steps: [
      START,
      pause(1_500),
      { do: "paste", text: "one\ntwo\nthree" },
      pause(2_000),
      { do: "keys", means: "submit", keys: ["Enter"] },
      ...answered(1),
    ],
  },
];
