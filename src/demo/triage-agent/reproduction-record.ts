import type { Outcome } from "../../triage/index.ts";
import type { Attempt, Findings } from "./findings.ts";
import { clip, oneLine } from "./inert-text.ts";

const EXCERPT_LINES = 12;

/** Returns the number of runs in which the bug showed. */
export function shownCount(attempt: Attempt): number {
  return attempt.type === "none" ? 0 : attempt.runs.filter(({ result }) => result === "shown").length;
}

/** Returns the output of the most informative run: one in which the bug showed, else the last one. */
function tellingOutput(attempt: Attempt): string {
  if (attempt.type === "none") return "";
  const run = attempt.runs.find(({ result }) => result === "shown") ?? attempt.runs.at(-1);
  return run?.output.trim() ?? "";
}

/** The place where Node threw, and the frame it prints around it. */
const NODE_NOISE = /^\s+(?:at |\.\.\. )|^node:internal\/|^\s+throw \w+;$|^\s*\^+$|^Node\.js v/;

/** Returns the informative lines of the output, without stack frames, at most EXCERPT_LINES. */
export function outputExcerpt(attempt: Attempt): string {
  const lines = tellingOutput(attempt)
    .split("\n")
    .filter((line) => line.trim() !== "" && !NODE_NOISE.test(line));
  return lines.slice(0, EXCERPT_LINES).join("\n");
}

/** Returns the output as Markdown code, so that it is shown unchanged. */
export function asCode(output: string): string {
  if (output === "") return "";
  if (!output.includes("\n") && !output.includes("`")) return `\`${output}\``;
  const longest = Math.max(2, ...[...output.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${output}\n${fence}`;
}

/** Returns the demo's own observation. The parent does not trust it and runs the script itself. */
export function reproductionOf({ attempt, nodeVersion, platform }: Findings): Outcome["reproduction"] {
  const environment = `node ${nodeVersion}, ${platform}`;
  if (attempt.type === "none") {
    const nothing = { script: null, expect: null, expected: "", actual: "" };
    return { attempted: false, reproduced: false, ...nothing, environment };
  }
  return {
    attempted: true,
    reproduced: shownCount(attempt) > 0,
    script: attempt.script.text,
    expect: attempt.script.expect,
    expected: clip(attempt.code.expected.text, 2_000),
    actual: clip(asCode(outputExcerpt(attempt)), 4_000),
    environment,
  };
}

/** Returns the facts that hold for every outcome. A brief names the interfaces itself. */
export function established(findings: Findings, hasBrief: boolean): string[] {
  const { issue, checkout, mentioned, refused, attempt } = findings;
  const facts = [
    ...issue.established.slice(0, 8),
    ...mentioned.slice(0, hasBrief ? 0 : 4).map(({ name, file }) => `\`${name}\` is in \`${file}\`.`),
    ...(checkout.version === null ? [] : [`Checked against version ${checkout.version}.`]),
    ...(attempt.type === "none" ? [] : [runsFact(attempt)]),
    ...(refused.length === 0
      ? []
      : [`${refused.length} command(s) of the report were not run: only plain node and npm commands are.`]),
  ];
  return [...new Set(facts.map((fact) => oneLine(fact, 1_000)).filter((fact) => fact !== ""))];
}

function runsFact(attempt: Extract<Attempt, { type: "ran" }>): string {
  const { runs } = attempt;
  const shown = shownCount(attempt);
  const manner = shown > 0 && shown < runs.length ? " It is flaky: it does not show every time." : "";
  const broken = runs.filter(({ result }) => result === "broken").length;
  const timedOut = runs.filter(({ result }) => result === "timed-out").length;
  const other = [
    ...(broken > 0 ? [` In ${broken} the code could not be run at all.`] : []),
    ...(timedOut > 0 ? [` ${timedOut} did not end within the time limit.`] : []),
  ];
  return `The Triage Agent ran the reporter's code ${runs.length} times; the bug showed in ${shown}.${manner}${other.join("")}`;
}
