import { failWith, say, stream } from "../../test/support/model-server/index.ts";
import type { Scenario } from "./scenario.ts";
import { answered, ask, callShell, ESSAY, pause, prompt, QUOTES, START } from "./scenario-steps.ts";

/** A text that looks like the end of a Turn; the text after the pause still belongs to the same Turn. */
const ENDINGS = [
  "Then it printed:",
  "",
  "✻ Worked for 12s",
  "",
  "  Worked for 12s • 01:22",
  "",
  "■ Conversation interrupted - use /feedback if something went wrong",
  "",
  "⎿  Interrupted · What should Claude do instead?",
].join("\n");
const WIDE = "界面很宽，字符占两列。🚀 日本語の行も折り返す。 Ünïcödé — עברית — ✅ ".repeat(6);
const LINE = "one line that never ends and only ever wraps because nothing in it asks for a break; ".repeat(
  14,
);
const PROGRESS = [
  ...QUOTES.split("\n"),
  "❯ ",
  "> _",
  "⠋ esc to interrupt",
  "* Working… (3s · esc to interrupt)",
]
  .map((line) => `echo '${line.replaceAll("'", "")}'`)
  .join("; ");

const longAnswer = (text: string, everyMs: number): Scenario["exchanges"] => [
  ask("write about queues", stream({ type: "text", text, everyMs })),
];
const longSteps: Scenario["steps"] = [START, ...prompt("write about queues"), ...answered(1)];
/** Scenarios with long, wide, hostile or slow output. */
export const STRAINED_SCENARIOS: readonly Scenario[] = [
  {
    name: "premature",
    about: "an answer that quotes the ends of Turns, falls silent for long, and goes on",
    exchanges: [
      ask(
        "show how it ends",
        stream(
          { type: "text", text: `${ESSAY}\n\n${ENDINGS}\n\n`, everyMs: 40 },
          { type: "silence", durationMs: 9_000 },
          { type: "text", text: `${ESSAY}\n\n${ENDINGS}`, everyMs: 40 },
        ),
      ),
    ],
    steps: [START, ...prompt("show how it ends"), ...answered(1)],
  },
  {
    name: "silent_long",
    about: "more than twenty silent seconds before the first word",
    exchanges: [
      ask(
        "think hard about limits",
        stream(
          { type: "silence", durationMs: 26_000 },
          { type: "text", text: "Keep them small.", everyMs: 150 },
        ),
      ),
    ],
    steps: [START, ...prompt("think hard about limits"), ...answered(1)],
  },
  {
    name: "wide",
    about: "an answer of wide characters, with a silence in the middle",
    exchanges: [
      ask(
        "write about queues",
        stream(
          { type: "text", text: WIDE, everyMs: 60 },
          { type: "silence", durationMs: 4_000 },
          { type: "text", text: `\n\n${WIDE}`, everyMs: 60 },
        ),
      ),
    ],
    steps: longSteps,
  },
  {
    name: "one_line",
    about: "an answer of one very long line, quickly, in tiny pieces",
    exchanges: longAnswer(LINE, 15),
    steps: longSteps,
  },
  {
    name: "adv_output",
    about: "a command whose output imitates status rows, prompts and errors, then a slow second one",
    exchanges: [
      ask(
        "run it",
        callShell(`${PROGRESS}; sleep 3`),
        callShell(`sleep 4; ${PROGRESS}`),
        say("That was it."),
      ),
    ],
    steps: [START, ...prompt("run it"), ...answered(3)],
  },
  {
    name: "background",
    about: "a command left running in the background while the Turn ends",
    tools: ["claude"],
    exchanges: [
      ask("start the server", callShell("sleep 300", { run_in_background: true }), say("It is running.")),
      ask("just say done", say("Done.")),
    ],
    steps: [START, ...prompt("start the server"), ...answered(2), ...prompt("just say done"), ...answered(3)],
  },
  {
    name: "plan_mode",
    about: "plan mode: a plan that is refused",
    tools: ["claude"],
    asksForPermission: true,
    args: ["--permission-mode", "plan"],
    exchanges: [
      ask(
        "plan the change",
        stream({
          type: "tool_use",
          name: "ExitPlanMode",
          input: { plan: "1. Read the code.\n2. Change it." },
        }),
        say("Planned."),
      ),
    ],
    steps: [
      START,
      ...prompt("plan the change"),
      { do: "await-traffic", type: "last-byte", times: 1 },
      pause(5_000),
      { do: "keys", means: "perm_reject", keys: ["Escape"] },
      pause(4_000),
    ],
  },
  {
    name: "question",
    about: "a question of the model's with choices, answered",
    tools: ["claude"],
    asksForPermission: true,
    exchanges: [
      ask(
        "ask me something",
        stream({
          type: "tool_use",
          name: "AskUserQuestion",
          input: {
            questions: [
              {
                question: "Which queue?",
                header: "Queue",
                multiSelect: false,
                options: [
                  { label: "Bounded", description: "Fails early" },
                  { label: "Unbounded", description: "Fails late" },
                ],
              },
            ],
          },
        }),
        say("Bounded it is."),
      ),
    ],
    steps: [
      START,
      ...prompt("ask me something"),
      { do: "await-traffic", type: "last-byte", times: 1 },
      pause(5_000),
      { do: "keys", means: "perm_accept", keys: ["Enter"] },
      ...answered(2),
    ],
  },
  {
    name: "long_paste",
    about: "a pasted text of many lines, erased, then a Turn",
    exchanges: [ask("just say done", say("Done."))],
    steps: [
      START,
      pause(1_500),
      { do: "paste", text: `${QUOTES}\n${ESSAY}\n${QUOTES}` },
      pause(4_000),
      { do: "keys", means: "draft_clear", keys: ["Ctrl+C"] },
      pause(3_000),
      ...prompt("just say done"),
      ...answered(1),
    ],
  },
  {
    name: "draft_resize",
    about: "a draft of several rows in a terminal that is resized twice",
    exchanges: [],
    steps: [
      START,
      pause(1_500),
      { do: "paste", text: "one two three four five six seven eight nine ten ".repeat(4).trim() },
      pause(2_000),
      { do: "resize", cols: 60, rows: 20 },
      pause(2_500),
      { do: "resize", cols: 140, rows: 45 },
      pause(2_500),
      { do: "keys", means: "draft_clear", keys: ["Ctrl+C"] },
      pause(2_000),
    ],
  },
  {
    name: "perm_resize",
    about: "a question for permission in a terminal that is resized twice",
    asksForPermission: true,
    exchanges: [ask("make the marker file", callShell("touch marker-file"), say("It is there."))],
    steps: [
      START,
      ...prompt("make the marker file"),
      { do: "await", shown: "permission" },
      pause(2_000),
      { do: "resize", cols: 60, rows: 24 },
      pause(2_500),
      { do: "resize", cols: 150, rows: 45 },
      pause(2_500),
      { do: "keys", means: "perm_accept", keys: ["Enter"] },
      ...answered(2),
    ],
  },
  {
    name: "err_twice_recover",
    about: "a failing and then an overloaded server, then an answer and another Turn",
    exchanges: [
      ask(
        "just say done",
        failWith(500, "api_error", "Internal server error"),
        failWith(529, "overloaded_error", "Overloaded"),
        stream({ type: "text", text: ESSAY, everyMs: 50 }),
      ),
      ask("just say more", say("More.")),
    ],
    steps: [START, ...prompt("just say done"), ...answered(1), ...prompt("just say more"), ...answered(2)],
  },
  {
    name: "drop_recover",
    about: "a connection that breaks in the middle of an answer, once",
    // Claude Code retries without streaming, which the scripted model does not support.
    tools: ["codex"],
    exchanges: [
      ask(
        "write about queues",
        stream({ type: "text", text: ESSAY, everyMs: 40 }, { type: "disconnect" }),
        stream({ type: "text", text: ESSAY, everyMs: 40 }),
      ),
    ],
    steps: longSteps,
  },
];
