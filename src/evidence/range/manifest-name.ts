import { z } from "zod";
import { claimedPackage, type WorkspacePackage } from "./claimed-package.ts";
import { DIVIDE, DIVIDER, PRISTINE } from "../pipeline/index.ts";
import { ask, type PlaceShell } from "./place-shell.ts";

export interface ManifestName {
  name: string;
  /** Whether the package may be on the npm registry: the manifest does not mark it as private. */
  isPublic: boolean;
  /** Whether the repository contains several packages, and the script is about this one. */
  isOneOfSeveral: boolean;
}

/** Matches a name by npm's rule. It is checked because the text of a manifest is untrusted. */
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]{0,100}\/)?[a-z0-9~-][a-z0-9._~-]{0,200}$/;
/** Matches the first name in such a section of Cargo.toml or pyproject.toml, which is the package's own. */
const TOML_NAME =
  /^\[(?:package|project|tool\.poetry)\][ \t]*$[^[]*?^name[ \t]*=[ \t]*["']([\w.-]{1,200})["']/m;
const LIMIT_MS = 30_000;
const MAX_BYTES = 1_000_000;

const npmSchema = z.object({ name: z.string().regex(NPM_NAME), private: z.boolean().optional() });

const MANIFESTS = ["package.json", "Cargo.toml", "pyproject.toml"];

/**
 * Shell lines that print, divided, the folder and the name of each package below the root, if the root's manifest declares several,
 * and the beginning of each of `MANIFESTS`.
 */
const READ_MANIFESTS = [
  `cd ${PRISTINE} || exit 90`,
  `if ls pnpm-work*.yaml >/dev/null 2>&1 || [ -f lerna.json ] || grep -qE '"work(space)s"' package.json 2>/dev/null; then`,
  `git ls-files '*/package.json' | head -n 500 | while IFS= read -r file; do`,
  String.raw`  printf '%s\t%s\n' "$(dirname "$file")" "$(sed -n 's/^[[:space:]]*[{]*[[:space:]]*"name"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p' "$file" | head -n 1)"`,
  "done; fi",
  ...MANIFESTS.map((file) => `${DIVIDE}; [ ! -e ${file} ] || head -c ${MAX_BYTES} ${file} 2>/dev/null`),
  "exit 0",
];

/**
 * Returns the product's name in the pristine checkout: in a repository with several packages the name of the one that the script
 * is about, otherwise the name in package.json, Cargo.toml or pyproject.toml. null: none of these files contains a name.
 */
export async function manifestName(script: string, shell: PlaceShell): Promise<ManifestName | null> {
  const answer = await ask(READ_MANIFESTS, shell, LIMIT_MS);
  const [packages = "", npm = "", ...tomls] = (answer?.stdout ?? "").split(DIVIDER);
  const claimed = claimedPackage(workspacePackages(packages), script);
  if (claimed !== null) return { name: claimed, isPublic: false, isOneOfSeveral: true };
  const { data } = npmSchema.safeParse(parsed(npm));
  if (data !== undefined) return { name: data.name, isPublic: data.private !== true, isOneOfSeveral: false };
  const [name] = tomls.flatMap((toml) => TOML_NAME.exec(toml)?.[1] ?? []);
  return name === undefined ? null : { name, isPublic: false, isOneOfSeveral: false };
}

function workspacePackages(listed: string): WorkspacePackage[] {
  return listed.split("\n").flatMap((line): WorkspacePackage[] => {
    const [folder = "", name = ""] = line.split("\t");
    return NPM_NAME.test(name) ? [{ folder, name }] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
