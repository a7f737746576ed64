import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appliedNeedsInfo, type Attack, proposing } from "../attack.ts";

const locked = /^locked locked-by-another-parent$/;

type Squat = NonNullable<Attack["squat"]>;

/** A lease as this provider writes it, of a parent that may be anybody. */
async function lease(directory: string, content: string): Promise<void> {
  await mkdir(directory);
  await writeFile(join(directory, "lease.json"), content);
}

const squats: [string, Squat, RegExp][] = [
  [
    "somebody's directory of that name",
    async (root, name) => {
      await mkdir(join(root, name));
      await writeFile(join(root, name, "precious"), "mine");
      return name;
    },
    locked,
  ],
  [
    "a file of that name",
    async (root, name) => {
      await writeFile(join(root, name), "mine");
      return name;
    },
    locked,
  ],
  [
    "a symlink of that name",
    async (root, name) => {
      await symlink("/tmp", join(root, name));
      return name;
    },
    locked,
  ],
  [
    "a lease that is no lease",
    async (root, name) => {
      await lease(join(root, name), '{"id": "../../..", "lease": {}}');
      return name;
    },
    locked,
  ],
  [
    "a name that ours is a prefix of",
    async (root, name) => {
      await mkdir(join(root, `${name}-mine`));
      return `${name}-mine`;
    },
    appliedNeedsInfo,
  ],
  [
    "a name like our remains",
    async (root, name) => {
      await mkdir(join(root, `.destroyed.${name}`));
      return `.destroyed.${name}`;
    },
    appliedNeedsInfo,
  ],
];

/** S15: what was not proven ours is neither used nor deleted. */
export const squatters: Attack[] = squats.map(([name, squat, expected]): Attack => ({
  row: "S15",
  name,
  squat,
  agent: { outcome: proposing() },
  expected,
}));
