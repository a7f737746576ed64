/**
 * Returns the commands in a reporter's shell lines. The demo's Triage Agent runs them only if each is one plain `node` or `npm`
 * command: no pipes, lists, redirections, substitutions or variables outside of quotes. The outcome names all others.
 */
export function splitCommands(block: string): { accepted: string[]; refused: string[] } {
  const accepted: string[] = [];
  const refused: string[] = [];
  for (const line of logicalLines(block)) {
    (isPlainCommand(line) ? accepted : refused).push(line);
  }
  return { accepted, refused };
}

const START = /^(?:node|npm test|npm run)(?:\s|$)/;

function isPlainCommand(line: string): boolean {
  if (!START.test(line)) return false;
  const outside = line.replace(/'[^']*'/g, "").replace(/"[^"$`\\]*"/g, "");
  return !/[|&;<>()$`"'\\\n]/.test(outside);
}

/** Returns the logical lines: an open single-quoted string continues on the next line; prompts and comments are dropped. */
function logicalLines(block: string): string[] {
  const found: string[] = [];
  let pending = "";
  for (const line of block.split("\n")) {
    pending = pending === "" ? line.replace(/^\s*(?:\$ )?/, "") : `${pending}\n${line}`;
    if ((pending.split("'").length - 1) % 2 === 1) continue;
    if (pending.trim() !== "" && !pending.startsWith("#")) found.push(pending.trimEnd());
    pending = "";
  }
  return pending.trim() === "" ? found : [...found, pending];
}
