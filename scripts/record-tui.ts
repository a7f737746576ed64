/**
 * `npm run record:tui -- --tool claude --version 2.1.197 --scenario perm_accept --size 80x24 --out DIR`: performs a scenario
 * with the real CLI from npm against a scripted model on loopback, and writes what passed through the terminal with labels
 * from the server's own timeline, the inputs and the process. `--scenario all` performs every one that the tool has;
 * `--list` names them. Needs the npm registry once a version and up to 500 MB; no account.
 */
import { parseArgs } from "node:util";
import { messageOf } from "agent-tty/kit";
import { record, type RecordingOrder } from "./record-tui/record.ts";
import type { Scenario, Tool } from "./record-tui/scenario.ts";
import { SCENARIOS } from "./record-tui/scenarios.ts";

const USAGE_EXIT_CODE = 2;
/** Those that the detectors were made on. */
const VERSIONS: Record<Tool, string> = { claude: "2.1.197", codex: "0.169.0" };

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { orders, isList } = readArguments();
    if (isList)
      process.stdout.write(SCENARIOS.map(({ name, about }) => `${name.padEnd(20)}${about}\n`).join(""));
    for (const order of orders) process.stdout.write(`${await record(order)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`record:tui: ${messageOf(error)}\n`);
    return USAGE_EXIT_CODE;
  }
}

function readArguments(): { orders: RecordingOrder[]; isList: boolean } {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      tool: { ...text, default: "claude" },
      version: text,
      scenario: text,
      size: { ...text, default: "80x24" },
      out: text,
      list: { type: "boolean", default: false },
    },
  });
  if (values.list) return { orders: [], isList: true };
  const { tool, scenario, out: directory } = values;
  if (tool !== "claude" && tool !== "codex") throw new TypeError(`--tool is claude or codex, not ${tool}`);
  if (scenario === undefined || directory === undefined)
    throw new TypeError("--scenario NAME and --out DIR are needed");
  const [, cols, rows] = /^(\d{2,3})x(\d{2,3})$/.exec(values.size) ?? [];
  if (cols === undefined) throw new TypeError(`--size is COLSxROWS, not ${values.size}`);
  const version = values.version ?? VERSIONS[tool];
  const size = { cols: Number(cols), rows: Number(rows) };
  const orders = chosen(scenario, tool).map((one): RecordingOrder => ({
    tool,
    version,
    size,
    scenario: one,
    directory,
  }));
  return { orders, isList: false };
}

function chosen(name: string, tool: Tool): readonly Scenario[] {
  const offered = SCENARIOS.filter(({ tools }) => tools === undefined || tools.includes(tool));
  const found = name === "all" ? offered : offered.filter((one) => one.name === name);
  if (found.length === 0) throw new TypeError(`${tool} has no scenario ${name}; --list names them`);
  return found;
}
