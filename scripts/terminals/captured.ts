import { createSession, type Home, readEvents, type Session } from "agent-tty";
import type { TerminalStream } from "./streams.ts";

const SIZE = { cols: 80, rows: 24 };
const WAIT = { callerTimeoutMs: 10_000 };

/** A program driven by keys; the screen at the end of each step is kept. */
interface Drive {
  program: string;
  command: readonly [string, ...string[]];
  /** Each step's input (null if there is none) and the condition that ends the step. */
  steps: readonly { name: string; type: string | null; until?: string }[];
}

const vttest = (menu: string, screens: number): Drive => ({
  program: `vttest ${menu}`,
  command: ["vttest"],
  steps: [
    { name: "menu", type: null, until: "Enter choice number" },
    { name: "screen 1", type: `${menu}\n` },
    ...Array.from({ length: screens - 1 }, (_, index) => ({ name: `screen ${index + 2}`, type: "\n" })),
  ],
});

/** The programs to drive, one after another. */
export const DRIVES: readonly Drive[] = [
  vttest("1", 6),
  vttest("2", 14),
  vttest("3", 1),
  vttest("5", 1),
  vttest("8", 12),
  vttest("9", 1),
  {
    program: "vim",
    command: ["vim", "-u", "NONE", "-N", "-n", "/etc/services"],
    steps: [
      { name: "open", type: null, until: "services" },
      { name: "end", type: "G" },
      { name: "split", type: ":split\r" },
      { name: "insert", type: "ohello 日本 🙂\x1b" },
      { name: "search", type: "gg/ssh\r" },
      { name: "quit", type: ":qa!\r" },
    ],
  },
  {
    program: "less",
    command: ["less", "/etc/services"],
    steps: [
      { name: "open", type: null, until: "services" },
      { name: "page", type: " " },
      { name: "end", type: "G" },
      { name: "search", type: "g/tcp\r" },
      { name: "quit", type: "q" },
    ],
  },
  {
    program: "top",
    command: ["top", "-d", "60"],
    steps: [
      { name: "open", type: null, until: "PID" },
      { name: "help", type: "h", until: "Help" },
    ],
  },
  {
    program: "tmux",
    command: ["tmux", "-L", "agent-tty-terminals", "-f", "/dev/null", "new-session", "sh"],
    steps: [
      { name: "open", type: null, until: "\\[0\\]" },
      { name: "run", type: "seq 30\r", until: "^30" },
      { name: "split", type: "\x02%" },
      { name: "clock", type: "\x02t" },
      { name: "end", type: "q\x02:kill-server\r" },
    ],
  },
];

/** Runs the program in a Session, and yields for every kept screen the bytes that led to it. */
export async function* capturedStreams(
  { program, command, steps }: Drive,
  home: Home,
  env: Record<string, string>,
): AsyncGenerator<TerminalStream> {
  await using session = await createSession(home, { command, cwd: "/", env, ...SIZE });
  for (const step of steps) {
    const seq = await driven(session, step);
    yield { name: `${program}: ${step.name}`, ...SIZE, bytes: await outputUpTo(session, seq) };
  }
}

async function driven(session: Session, step: Drive["steps"][number]): Promise<number> {
  const afterSeq = step.type === null ? 0 : await session.type(step.type);
  const still = { screenStableMs: 250, afterSeq };
  await session.wait(step.until === undefined ? still : { ...still, regex: step.until }, WAIT);
  return session.status() === "running" ? session.mark(step.name) : session.lastSeq();
}

async function outputUpTo(session: Session, toSeq: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const { record, bytes } of readEvents(session.directory, { toSeq })) {
    if (record.type === "output") chunks.push(Buffer.from(bytes));
  }
  return Buffer.concat(chunks);
}
