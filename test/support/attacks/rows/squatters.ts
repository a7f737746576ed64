import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appliedNeedsInfo, type Attack, proposing, type Squat } from "../attack.ts";

const locked = /^locked locked-by-another-parent$/;

/** Writes a lease as this provider does, for any parent. */
async function lease(directory: string, content: string): Promise<void> {
  await mkdir(directory);
  await writeFile(join(directory, "lease.json"), content);
}

const squats: [string, Squat["local"], Squat["coder"], RegExp][] = [
  [
    "somebody's directory of that name",
    async (root, name) => {
      await mkdir(join(root, name));
      await writeFile(join(root, name, "precious"), "mine");
      return name;
    },
    (name) => ({ name }),
    locked,
  ],
  [
    "a file of that name",
    async (root, name) => {
      await writeFile(join(root, name), "mine");
      return name;
    },
    (name) => ({ name, parameters: { run_id: "20991231T235959Z" } }),
    locked,
  ],
  [
    "a symlink of that name",
    async (root, name) => {
      await symlink("/tmp", join(root, name));
      return name;
    },
    (name) => ({ name: name.toUpperCase() }),
    locked,
  ],
  [
    "a lease that is no lease",
    async (root, name) => {
      await lease(join(root, name), '{"id": "../../..", "lease": {}}');
      return name;
    },
    (name) => ({ name, parameters: { run_id: "../../..", afk_parent: "x/1/1" } }),
    locked,
  ],
  [
    "a name that ours is a prefix of",
    async (root, name) => {
      await mkdir(join(root, `${name}-mine`));
      return `${name}-mine`;
    },
    (name) => ({ name: `${name}-mine` }),
    appliedNeedsInfo,
  ],
  [
    "a name like our remains",
    async (root, name) => {
      await mkdir(join(root, `.destroyed.${name}`));
      return `.destroyed.${name}`;
    },
    (name) => ({ name: `${name}-v-mine` }),
    appliedNeedsInfo,
  ],
];

/** S15: an object that is not proven ours is neither used nor deleted. */
export const squatters: Attack[] = squats.map(([name, local, coder, expected]): Attack => ({
  row: "S15",
  name,
  squat: { local, coder },
  agent: { outcome: proposing() },
  expected,
}));
