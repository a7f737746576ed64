import type { Found } from "./named-answer.ts";

/** The number of lines of an expected file that become separate answers, because a script may compare one line after the other. */
const MAX_LINES = 3;
const DOCUMENT = /<<-?\s*['"]?(\w+)['"]?([^\n]*)\n([\s\S]{0,600}?)\n\s*\1\b/g;
/** Matches a redirection to a file that is named as expected output, or whose format contains data and not a program. */
const EXPECTED_FILE =
  />\s*(?:\S*(?:want|expect|golden|snap|should)\S*|\S+\.(?:txt|out|json|csv|md|html|css|xml|ya?ml))(?=\s|$)/i;
/** Matches words of a script that compares whole files, or writes files without adding a line end. */
const WHOLE_FILES = /readFile|writeFile|stdout\.write|\bcmp\b/;

/**
 * Returns the here-documents that do not contain a program, because they usually contain expected output. If the script may compare
 * whole files, also returns them with a final line end.
 */
export function documentsIn(text: string): Found[] {
  return [...text.matchAll(DOCUMENT)].flatMap(({ 2: after = "", 3: body = "", index }) => {
    const before =
      text
        .slice(Math.max(0, index - 200), index)
        .split("\n")
        .at(-1) ?? "";
    const isExpected = [before, after.slice(0, 200)].some((line) => EXPECTED_FILE.test(line));
    if (!isExpected && /require\(|import |[;{]\s*$/m.test(body)) return [];
    const whole = WHOLE_FILES.test(text) ? [`${body}\n`] : [];
    const lines = isExpected && body.includes("\n") ? body.split("\n").slice(0, MAX_LINES) : [];
    return [body, ...whole, ...lines].map((one) => ({ expression: JSON.stringify(one), isWanted: true }));
  });
}

/** Returns whether a shell writes the literal that ends at `end` to a file of expected output, possibly through a pipe. */
export function isWrittenAsExpected(text: string, end: number): boolean {
  const after = /^(?:[^\n;|&]|\|(?!\|)){0,200}/.exec(text.slice(end, end + 200))?.[0] ?? "";
  return /^\s*[>|]/.test(after) && EXPECTED_FILE.test(after);
}

/** Returns whether a shell passes the text that follows as a file: `diff <(echo …) …`. */
export function isComparedAsFile(before: string): boolean {
  return /<\(\s*(?:echo|printf(?:\s+(?:'[^'\n]{0,40}'|"[^"\n]{0,40}"))?)\s+$/.test(before);
}
