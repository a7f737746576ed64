import { randomInt } from "node:crypto";
import { execa } from "execa";
import * as fc from "fast-check";
import { characterFaults } from "../test/support/attacks/comment-laws.ts";
import { generatedComments } from "../test/support/comments/generated-comments.ts";
import { renderedFaults } from "../test/support/comments/rendered-laws.ts";
import { scriptArguments } from "./script-arguments.ts";

/**
 * Renders generated comments with cmark-gfm, GitHub's own renderer (Debian's package cmark-gfm), and checks the trees (S24).
 * Prints the seed, which generates the same comments again; the exit code is 1 if a comment contains anything live, and 2 if
 * cmark-gfm is not installed.
 * `npm run test:comments -- [--count 50000] [--seed N]`
 */
const { values } = scriptArguments(import.meta.url, {
  options: { count: { type: "string", default: "50000" }, seed: { type: "string" } },
});
const count = Number(values.count);
const seed = Number(values.seed ?? randomInt(2 ** 31));
const BATCH_SIZE = 250;
const SEPARATOR = "separator-5ca1ab1e";

const renderer = await execa("cmark-gfm", ["--version"], { reject: false });
if (renderer.failed) {
  process.stderr.write(
    `cmark-gfm cannot be started: ${renderer.shortMessage}\nInstall Debian's package cmark-gfm.\n`,
  );
  process.exit(2);
}
process.stdout.write(`${count} comments, seed ${seed}\n`);
let live = 0;
for (let at = 0; at < count; at += BATCH_SIZE) {
  const numRuns = Math.min(BATCH_SIZE, count - at);
  const comments = fc.sample(generatedComments, { seed: seed + at, numRuns });
  const pages = await render(comments);
  for (const [index, comment] of comments.entries()) {
    const page = pages[index];
    const faults = [
      ...(page === undefined ? ["it swallows what follows it"] : renderedFaults(page)),
      ...characterFaults(comment),
      ...(/^\/[a-z][\w-]*(?:\s|$)/im.test(comment) ? ["a line that is an order to a program"] : []),
    ];
    if (faults.length === 0) continue;
    live += 1;
    if (live <= 10) process.stdout.write(`${JSON.stringify(faults)}\n${JSON.stringify(comment)}\n`);
  }
}
process.stdout.write(`${count} comments rendered, ${live} live\n`);
process.exitCode = live === 0 ? 0 : 1;

/**
 * Renders all comments in one process. Between two comments is a heading, which an unclosed fence or unclosed HTML would swallow.
 */
async function render(comments: readonly string[]): Promise<(string | undefined)[]> {
  const extensions = ["table", "strikethrough", "autolink", "tasklist"].flatMap((name) => ["-e", name]);
  const { stdout } = await execa("cmark-gfm", ["--unsafe", "--hardbreaks", ...extensions], {
    input: `${comments.map((comment, index) => `# ${SEPARATOR}-${index}\n\n${comment}\n\n`).join("")}# ${SEPARATOR}-${comments.length}\n`,
  });
  const pages: string[] = [];
  for (const [index] of comments.entries()) {
    const start = `<h1>${SEPARATOR}-${index}</h1>`;
    const from = stdout.indexOf(start);
    const to = stdout.indexOf(`<h1>${SEPARATOR}-${index + 1}</h1>`);
    // If the heading after a comment is missing, the comment has swallowed it.
    if (from !== -1 && to !== -1) pages[index] = stdout.slice(from + start.length, to);
  }
  return pages;
}
