/** The oldest supported Node version; package.json declares the same. */
const NEEDED = [20, 19] as const;

/**
 * Returns the source of the file that npm starts. It is plain ES5, so that any Node version can parse it and report which version
 * is needed before the program is loaded. `load` is the module that loads the program.
 */
export function guardSource(binary: string, load: string): string {
  const [major, minor] = NEEDED;
  return `#!/usr/bin/env node
"use strict";
var found = process.versions.node.split(".");
if (+found[0] < ${major} || (+found[0] === ${major} && +found[1] < ${minor})) {
  console.error("${binary} needs Node ${major}.${minor} or newer; this is Node " + process.versions.node + " (" + process.execPath + ").");
  console.error("What to do: install a newer Node from https://nodejs.org, or put one first on the PATH.");
  process.exit(1);
}
require("${load}");
`;
}
