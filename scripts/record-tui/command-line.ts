import { parseArgs } from "node:util";
import { messageOf } from "agent-tty/kit";
import type { RecordingOrder } from "./record.ts";
import { DEFAULT_VERSIONS, resolveVersion, type Tool } from "../install-tool.ts";
import type { Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

const USAGE_EXIT_CODE = 2;

export interface Output {
  write: (text: string) => void;
  complain: (text: string) => void;
}

/** Runs the command that scripts/record-tui.ts describes; resolves with its exit code. */
export async function recordTui(argv: readonly string[], { write, complain }: Output): Promise<number> {
  try {
    const { orders, isList } = readArguments(argv);
    if (isList) write(SCENARIOS.map(({ name, about }) => `${name.padEnd(20)}${about}\n`).join(""));
    if (orders.length === 0) return 0;
    // The import comes late, because a usage error needs none of the program.
    const { record } = await import("./record.ts");
    for (const order of orders) {
      const version = await resolveVersion(order.tool, order.version);
      write(`${await record({ ...order, version })}\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    complain(`record:tui: ${messageOf(error)}\n`);
    return USAGE_EXIT_CODE;
  }
}

function readArguments(argv: readonly string[]): { orders: RecordingOrder[]; isList: boolean } {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...argv],
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
  if (!isTool(tool))
    throw new TypeError(`--tool is ${Object.keys(DEFAULT_VERSIONS).join(", ")}, not ${tool}`);
  if (scenario === undefined || directory === undefined)
    throw new TypeError("--scenario NAME and --out DIR are needed");
  const [, cols, rows] = /^(\d{2,3})x(\d{2,3})$/.exec(values.size) ?? [];
  if (cols === undefined) throw new TypeError(`--size is COLSxROWS, not ${values.size}`);
  const version = values.version ?? DEFAULT_VERSIONS[tool];
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

function isTool(name: string): name is Tool {
  return Object.hasOwn(DEFAULT_VERSIONS, name);
}

function chosen(name: string, tool: Tool): readonly Scenario[] {
  const offered = SCENARIOS.filter(({ tools = ["claude", "codex"] }) => tools.includes(tool));
  const found = name === "all" ? offered : offered.filter((one) => one.name === name);
  if (found.length === 0) throw new TypeError(`${tool} has no scenario ${name}; --list names them`);
  return found;
}
