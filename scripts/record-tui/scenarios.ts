import { failWith, say, stream } from "../../test/support/model-server/index.ts";
import { ALL_TOOLS, type Exchange, type Scenario } from "./scenario.ts";
import {
  answered,
  ask,
  draft,
  ESSAY,
  FIRST_BYTE,
  INTERRUPT,
  pause,
  prompt,
  QUOTES,
  REST,
  START,
} from "./scenario-steps.ts";
import { LEFT_SCENARIOS } from "./scenarios-of-leaving.ts";
import { LOOK_SCENARIOS } from "./scenarios-of-looks.ts";
import { VIEW_SCENARIOS } from "./scenarios-of-views.ts";
import { STRAINED_SCENARIOS } from "./scenarios-under-strain.ts";

/** The scenarios as data; to add one, add an entry here. */
export const SCENARIOS: readonly Scenario[] = [
  ...STRAINED_SCENARIOS,
  ...LOOK_SCENARIOS,
  ...LEFT_SCENARIOS,
  ...VIEW_SCENARIOS,
  {
    name: "two_turns",
    about: "two short answers, the second prompt typed under the end of the first",
    tools: ALL_TOOLS,
    exchanges: [
      ask(
        "list the open questions",
        stream({ type: "text", text: "There are two: naming and limits.", everyMs: 150 }),
      ),
      ask(
        "answer the first one",
        stream({ type: "text", text: "Name it after what it holds.", everyMs: 150 }),
      ),
    ],
    steps: [
      START,
      ...prompt("list the open questions"),
      ...answered(1),
      ...prompt("answer the first one"),
      ...answered(2),
    ],
  },
  {
    name: "true_color",
    about: "two short answers in a terminal that says it has 24-bit colours",
    tools: ["gemini"],
    env: { COLORTERM: "truecolor" },
    exchanges: [
      ask("list the open questions", say("There are two.")),
      ask("answer the first one", say("Done.")),
    ],
    steps: [
      START,
      ...prompt("list the open questions"),
      ...answered(1),
      ...prompt("answer the first one"),
      ...answered(2),
    ],
  },
  {
    name: "long_stream",
    about: "an answer of several paragraphs, with a silence in the middle",
    tools: ALL_TOOLS,
    exchanges: [
      ask(
        "write about queues",
        stream(
          { type: "text", text: `${ESSAY}\n\n`, everyMs: 60 },
          { type: "silence", durationMs: 4_000 },
          { type: "text", text: ESSAY, everyMs: 60 },
        ),
      ),
    ],
    steps: [START, ...prompt("write about queues"), ...answered(1)],
  },
  {
    name: "draft_long_stream",
    about: "a draft typed while a long answer streams, and cleared after it",
    tools: ALL_TOOLS,
    exchanges: [
      ask("write about queues", stream({ type: "text", text: `${ESSAY}\n\n${ESSAY}`, everyMs: 80 })),
    ],
    steps: [START, ...prompt("write about queues"), FIRST_BYTE, ...draft("and about stacks"), ...answered(1)],
  },
  {
    name: "silent_think",
    about: "a long silence before the first byte of an answer, then thinking, then the answer",
    tools: ALL_TOOLS,
    exchanges: [
      ask(
        "think hard about limits",
        stream(
          { type: "silence", durationMs: 6_000 },
          { type: "thinking", text: "Limits are promises. Which ones are kept by whom?", everyMs: 200 },
          { type: "text", text: "Limits belong where the resource is.", everyMs: 150 },
        ),
      ),
    ],
    steps: [START, ...prompt("think hard about limits"), ...answered(1)],
  },
  {
    name: "adv_text",
    about: "an answer that quotes status rows, prompts, interruptions and errors",
    tools: ALL_TOOLS,
    exchanges: [ask("show me what you look like", stream({ type: "text", text: QUOTES, everyMs: 60 }))],
    steps: [START, ...prompt("show me what you look like"), ...answered(1)],
  },
  {
    name: "tool_silent",
    about: "a command that prints nothing for a while",
    tools: ALL_TOOLS,
    exchanges: [
      ask(
        "wait for the build",
        stream({
          type: "tool_use",
          name: "Bash",
          input: { command: "sleep 8", description: "Wait for the build" },
        }),
        say("The build is through."),
      ),
    ],
    steps: [START, ...prompt("wait for the build"), ...answered(2)],
  },
  {
    name: "perm_accept",
    about: "a command that needs permission, and gets it",
    tools: ALL_TOOLS,
    asksForPermission: true,
    exchanges: [permissionExchange("make the marker file")],
    steps: [
      START,
      ...prompt("make the marker file"),
      { do: "await", shown: "permission" },
      pause(3_000),
      { do: "keys", means: "perm_accept", keys: ["Enter"] },
      ...answered(2),
    ],
  },
  {
    name: "perm_reject_esc",
    about: "a command that needs permission, and is refused with Esc",
    tools: ALL_TOOLS,
    asksForPermission: true,
    exchanges: [permissionExchange("make the marker file")],
    steps: [
      START,
      ...prompt("make the marker file"),
      { do: "await", shown: "permission" },
      pause(3_000),
      { do: "keys", means: "perm_reject", keys: ["Escape"] },
      REST,
    ],
  },
  {
    name: "int_stream",
    about: "an answer interrupted while it streams, then a Turn that succeeds",
    tools: ALL_TOOLS,
    exchanges: [
      ask("write about queues", stream({ type: "text", text: `${ESSAY}\n\n${ESSAY}`, everyMs: 100 })),
      ask("just say done", say("Done.")),
    ],
    steps: [
      START,
      ...prompt("write about queues"),
      FIRST_BYTE,
      pause(3_000),
      INTERRUPT,
      REST,
      ...prompt("just say done"),
      ...answered(1),
    ],
  },
  {
    name: "queued",
    about: "a second prompt handed over while the first one is worked on",
    tools: ["claude"],
    exchanges: [
      ask("write about queues", stream({ type: "text", text: ESSAY, everyMs: 120 })),
      ask("and about stacks", say("Stacks are queues that changed their mind.")),
    ],
    steps: [
      START,
      ...prompt("write about queues"),
      FIRST_BYTE,
      ...draft("and about stacks"),
      { do: "keys", means: "queue", keys: ["Enter"] },
      ...answered(2),
    ],
  },
  {
    name: "slash_menu",
    about: "the menu of commands opened over an empty prompt, and closed",
    exchanges: [],
    steps: [
      START,
      pause(2_000),
      { do: "type", means: "menu_open", text: "/mo" },
      pause(3_000),
      { do: "keys", means: "menu_close", keys: ["Backspace", "Backspace", "Backspace"] },
      REST,
    ],
  },
  {
    name: "startup_trust",
    about: "the question for trust at the first start in a folder, then a Turn",
    asksForTrust: true,
    tools: ["claude", "codex", "gemini"],
    exchanges: [ask("just say done", say("Done."))],
    steps: [
      { do: "await", shown: "trust" },
      pause(3_000),
      { do: "accept-trust" },
      START,
      ...prompt("just say done"),
      ...answered(1),
    ],
  },
  {
    name: "resize_active",
    about: "the terminal resized twice while an answer streams",
    tools: ALL_TOOLS,
    exchanges: [
      ask("write about queues", stream({ type: "text", text: `${ESSAY}\n\n${ESSAY}`, everyMs: 90 })),
    ],
    steps: [
      START,
      ...prompt("write about queues"),
      FIRST_BYTE,
      pause(2_000),
      { do: "resize", cols: 100, rows: 30 },
      pause(2_500),
      { do: "resize", cols: 80, rows: 24 },
      ...answered(1),
    ],
  },
  {
    ...failing("err_401", "a refused key", failWith(401, "authentication_error", "invalid x-api-key")),
    tools: ALL_TOOLS,
  },
  failing(
    "err_429",
    "a rate limit that stays",
    failWith(429, "rate_limit_error", "Number of requests has exceeded your limit"),
  ),
  failing("err_500", "a server that always fails", failWith(500, "api_error", "Internal server error")),
  failing("err_529", "an overloaded server that stays so", failWith(529, "overloaded_error", "Overloaded")),
  {
    name: "err_529_recover",
    about: "an overloaded server that answers at the second attempt",
    exchanges: [ask("just say done", failWith(529, "overloaded_error", "Overloaded"), say("Done."))],
    steps: [START, ...prompt("just say done"), ...answered(1)],
  },
  {
    name: "drop",
    about: "a connection that breaks in the middle of an answer, every time",
    exchanges: [
      ask("write about queues", stream({ type: "text", text: ESSAY, everyMs: 40 }, { type: "disconnect" })),
    ],
    steps: [START, ...prompt("write about queues"), { do: "await-give-up" }, REST],
  },
  {
    name: "exit_ctrlc",
    about: "left with Ctrl+C from an empty prompt",
    exchanges: [],
    steps: [
      START,
      pause(2_000),
      { do: "keys", means: "exit", keys: ["Ctrl+C", "Ctrl+C"] },
      { do: "await-exit" },
      REST,
    ],
  },
];

function permissionExchange(text: string): Exchange {
  const input = { command: "touch marker-file", description: "Make the marker file" };
  return ask(text, stream({ type: "tool_use", name: "Bash", input }), say("The marker file is there."));
}

/** Returns a scenario in which every attempt fails until the tool gives up. */
function failing(name: string, about: string, error: Exchange["turns"][0]): Scenario {
  return {
    name,
    about,
    exchanges: [ask("just say done", error)],
    steps: [START, ...prompt("just say done"), { do: "await-give-up" }, REST],
  };
}
