import { dirname } from "node:path";
import { z } from "zod";
import type { Outcome, Reproduction } from "../../src/triage/index.ts";
import { type Conversation, type ModelScript, say, callTool } from "../support/model-server/index.ts";

/**
 * A model that triages one report: it reads the issue file, runs the reporter's code in a copy of the checkout, and
 * decides from the code's output. It has no knowledge of any particular issue or package.
 */
export function reportReader(): ModelScript {
  return (conversation) => {
    const { userText, toolResults } = conversation;
    const failed = toolResults.find((result) => result.isError);
    if (failed !== undefined) return say(`A tool failed: ${failed.text}`);
    const outcomeFile = /outcome file, yours to write: (\S+)/.exec(userText)?.[1];
    if (outcomeFile === undefined) return say("The prompt names no outcome file.");
    const script = `${dirname(outcomeFile)}/reproduction.sh`;
    switch (toolResults.length) {
      case 0:
        return callTool("Bash", { command: 'cat "$AFK_TRIAGE_ISSUE_FILE"', description: "Read the issue" });
      case 1:
        return callTool("Write", { file_path: script, content: scriptFor(readReport(conversation)) });
      case 2:
        return callTool("Bash", { command: runInCopy(script), description: "Run the reporter's code" });
      case 3:
        return callTool("Bash", {
          command: "node -p '`${require(\"./package.json\").version} ${process.version}`'",
          description: "Look up the versions",
        });
      case 4:
        return callTool("Write", {
          file_path: `${outcomeFile}.tmp`,
          content: JSON.stringify(decide(conversation), null, 2),
        });
      case 5:
        return callTool("Bash", {
          command: `mv ${outcomeFile}.tmp ${outcomeFile}`,
          description: "Hand it in",
        });
      default:
        return say("The outcome is written.");
    }
  };
}

interface Report {
  number: number;
  title: string;
  code: string;
  expected: string;
  actual: string;
}

const issueFile = z.object({ number: z.int(), title: z.string(), body: z.string() });

function readReport({ toolResults }: Conversation): Report {
  const { number, title, body } = issueFile.parse(JSON.parse(toolResults[0]?.text ?? ""));
  const code = /^```js\n([\s\S]*?)^```$/m.exec(body)?.[1];
  if (code === undefined) throw new Error("the report has no code");
  return { number, title, code, expected: claimIn(body, "Expected"), actual: claimIn(body, "Actual") };
}

/** Returns the text after `**Expected:**`, or the paragraph below `### Expected`. */
function claimIn(body: string, word: string): string {
  const found = new RegExp(`^(?:\\*\\*${word}:\\*\\*|### ${word}\\n)\\s*(.+)$`, "m").exec(body);
  return found?.[1] ?? "";
}

function scriptFor({ number, code }: Report): string {
  return [
    "#!/bin/sh",
    `# The code of issue ${number}, run against this checkout.`,
    `name=$(node -p 'require("./package.json").name') || exit 70`,
    `mkdir -p node_modules && { [ -e "node_modules/$name" ] || ln -s .. "node_modules/$name"; } || exit 70`,
    "cat > report.cjs <<'END_OF_REPORT'",
    code.trimEnd(),
    "END_OF_REPORT",
    "exec node report.cjs",
    "",
  ].join("\n");
}

function runInCopy(script: string): string {
  return `copy=$(mktemp -d) && cp -a . "$copy" && (cd "$copy" && sh ${script} 2>&1; echo "exit code: $?"); rm -rf "$copy"`;
}

function decide(conversation: Conversation): Outcome {
  const report = readReport(conversation);
  const ran = conversation.toolResults[2]?.text ?? "";
  const [version = "", node = ""] = (conversation.toolResults[3]?.text ?? "").trim().split(" ");
  const printed = ran.replace(/exit code: \d+\s*$/, "").trim();
  const exitCode = Number(/exit code: (\d+)\s*$/.exec(ran)?.[1] ?? Number.NaN);
  const literal = /`([^`]+)`/.exec(report.actual)?.[1] ?? report.actual;
  const isShown = printed.includes(literal);
  const reproduction: Reproduction = {
    attempted: true,
    reproduced: isShown,
    script: scriptFor(report),
    expect: { exitCode: isShown ? exitCode : null, outputContains: literal },
    expected: report.expected,
    actual: readable(printed),
    environment: `node ${node}, version ${version} of the package`,
  };
  const established = [`Checked against version ${version}.`];
  const security = { level: "none", kind: null } as const;
  const common = { schema: "afk-triage/outcome@2", issue: report.number, category: "bug", security } as const;
  const rest = { confidence: "high", established, reproduction, wontfix: null, duplicateOf: null } as const;
  if (!isShown) {
    return {
      ...common,
      ...rest,
      outcome: "needs-info",
      summary: "The reporter's code does not show the problem.",
      questions: [
        `With ${version} your code printed \`${oneLine(printed)}\`. Which version is installed (\`npm ls\` shows it)?`,
        "If it is this one: what else is involved, such as other arguments or a wrapper?",
      ],
      brief: null,
    };
  }
  return {
    ...common,
    ...rest,
    outcome: "ready-for-agent",
    summary: `Reproduced with the reporter's code: ${report.title}`.slice(0, 500),
    questions: [],
    brief: {
      currentBehavior: `The reporter's code exits with ${exitCode} and prints:\n\n${indent(readable(printed))}`,
      desiredBehavior: report.expected,
      keyInterfaces: [],
      acceptanceCriteria: [
        "The reproduction no longer shows the reported output.",
        "The existing tests pass.",
      ],
      outOfScope: [],
    },
  };
}

/** Returns the output without stack frames and empty lines. */
function readable(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !/^\s+at /.test(line));
  return lines.slice(0, 12).join("\n");
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\s`]+/g, " ")
    .trim()
    .slice(0, 200);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}
