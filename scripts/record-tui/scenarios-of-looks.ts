import { stream } from "../../test/support/model-server/index.ts";
import type { Scenario } from "./scenario.ts";
import { answered, ask, ESSAY, FIRST_BYTE, pause, prompt, START } from "./scenario-steps.ts";

const LONG_ANSWER: Scenario["exchanges"] = [
  ask("write about queues", stream({ type: "text", text: `${ESSAY}\n\n${ESSAY}`, everyMs: 80 })),
];
const DRAFT_IN_IT: Scenario["steps"] = [
  START,
  ...prompt("write about queues"),
  FIRST_BYTE,
  pause(1_000),
  { do: "type", means: "draft", text: "and about stacks" },
  ...answered(1),
];

/**
 * Scenarios with other colours, or without the footer: the signs that distinguish work from idleness must not depend on these.
 */
export const LOOK_SCENARIOS: readonly Scenario[] = [
  {
    name: "light",
    about: "a light theme: a draft typed while a long answer streams",
    theme: "light",
    env: { COLORFGBG: "0;15" },
    exchanges: LONG_ANSWER,
    steps: DRAFT_IN_IT,
  },
  {
    name: "light_daltonized",
    about: "a light theme for the colour-blind: a draft typed while a long answer streams",
    tools: ["claude"],
    theme: "light-daltonized",
    exchanges: LONG_ANSWER,
    steps: DRAFT_IN_IT,
  },
  {
    name: "ansi_theme",
    about: "a theme of 16 colours: a draft typed while a long answer streams",
    tools: ["claude"],
    theme: "dark-ansi",
    exchanges: LONG_ANSWER,
    steps: DRAFT_IN_IT,
  },
  {
    name: "no_color",
    about: "without colours: a draft typed while a long answer streams",
    env: { NO_COLOR: "1" },
    exchanges: LONG_ANSWER,
    steps: DRAFT_IN_IT,
  },
  {
    name: "status_line",
    about: "a status line of one's own, which takes the footer's place, under a long answer",
    tools: ["claude"],
    settings: { statusLine: { type: "command", command: "echo 'acme ✻ main | 12 %'" } },
    exchanges: LONG_ANSWER,
    steps: DRAFT_IN_IT,
  },
];
