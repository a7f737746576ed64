import type { Attack } from "../attack.ts";
import { reproducing } from "./reproducing.ts";

const product = `node -e "import('./widget.mjs').then(({ first }) => first([]))"`;

/** Reproductions that end as claimed in every run, whatever the product does: control runs must detect them. */
const forgeries: Record<string, object> = {
  "echo boom; exit 1": reproducing("echo boom; exit 1", { outputContains: "boom" }),
  "exit 0": reproducing("exit 0", { exitCode: 0 }),
  "a command that does not exist": reproducing("widget-that-nobody-has --crash", { exitCode: 127 }),
  'cat "$0"; exit 1': reproducing('# TypeError: undefined is not a widget\ncat "$0"; exit 1', {
    outputContains: "TypeError: undefined is not a widget",
  }),
  "a script that deletes the source and then fails": reproducing(`rm -f widget.mjs\n${product}`, {
    outputContains: "ERR_MODULE_NOT_FOUND",
  }),
};

/** S21, V2, V3: a script that does not depend on the bug never makes an issue ready for work. */
export const forgedScripts: Attack[] = Object.entries(forgeries).map(([name, outcome]): Attack => ({
  row: "S21",
  name: `the forged reproduction: ${name}`,
  agent: { outcome },
  expected: /^applied needs-triage reproduction-unproven$/,
}));
