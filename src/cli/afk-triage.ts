import { loadBundle } from "agent-tty/bundle";

interface Program {
  runProgram: (argv: readonly string[]) => Promise<number>;
}

/** The exit code until the program has ended: Node's own code for an await that never settles. */
const UNSETTLED = 13;

process.exitCode = UNSETTLED;
void run(process.argv.slice(2));

async function run(argv: readonly string[]): Promise<void> {
  const { runProgram } = loadBundle({ program: "afk-triage", name: "main" }, argv[0] ?? "") as Program;
  process.exitCode = await runProgram(argv);
}
