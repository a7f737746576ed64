import { z } from "zod";
import { claimedPackage, type WorkspacePackage } from "./claimed-package.ts";
import { PRISTINE } from "../pipeline/index.ts";
import { ask, type PlaceShell } from "./place-shell.ts";

export interface ManifestName {
  name: string;
  /** The package may be on the npm registry: the manifest does not mark it as private. */
  isPublic: boolean;
  /** The repository contains several packages, and the script is about this one. */
  isOneOfSeveral: boolean;
}

/** npm's rule for names. It is checked because the text of a manifest is untrusted. */
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]{0,100}\/)?[a-z0-9~-][a-z0-9._~-]{0,200}$/;
/** The first name in such a section of Cargo.toml or pyproject.toml is the package's own. */
const TOML_NAME =
  /^\[(?:package|project|tool\.poetry)\][ \t]*$[^[]*?^name[ \t]*=[ \t]*["']([\w.-]{1,200})["']/m;
const LIMIT_MS = 30_000;
const MAX_BYTES = 1_000_000;

const npmSchema = z.object({ name: z.string().regex(NPM_NAME), private: z.boolean().optional() });

/** Shell lines that print the folder and the name of each package below the root, if the root's manifest declares several. */
const LIST_PACKAGES = [
  `cd ${PRISTINE} || exit 90`,
  `ls pnpm-work*.yaml >/dev/null 2>&1 || [ -f lerna.json ] || grep -qE '"work(space)s"' package.json 2>/dev/null || exit 0`,
  `git ls-files '*/package.json' | head -n 500 | while IFS= read -r file; do`,
  String.raw`  printf '%s\t%s\n' "$(dirname "$file")" "$(sed -n 's/^[[:space:]]*[{]*[[:space:]]*"name"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p' "$file" | head -n 1)"`,
  "done",
];

/**
 * Returns the product's name in the pristine checkout: in a repository with several packages the name of the one that the script
 * is about, otherwise the name in package.json, Cargo.toml or pyproject.toml. null: none of these files contains a name.
 */
export async function manifestName(script: string, shell: PlaceShell): Promise<ManifestName | null> {
  const claimed = claimedPackage(await workspacePackages(shell), script);
  if (claimed !== null) return { name: claimed, isPublic: false, isOneOfSeveral: true };
  const { data } = npmSchema.safeParse(parsed(await manifest("package.json", shell)));
  if (data !== undefined) return { name: data.name, isPublic: data.private !== true, isOneOfSeveral: false };
  for (const file of ["Cargo.toml", "pyproject.toml"]) {
    const name = TOML_NAME.exec(await manifest(file, shell))?.[1];
    if (name !== undefined) return { name, isPublic: false, isOneOfSeveral: false };
  }
  return null;
}

async function workspacePackages(shell: PlaceShell): Promise<WorkspacePackage[]> {
  const answer = await ask(LIST_PACKAGES, shell, LIMIT_MS);
  return (answer?.stdout ?? "").split("\n").flatMap((line): WorkspacePackage[] => {
    const [folder = "", name = ""] = line.split("\t");
    return NPM_NAME.test(name) ? [{ folder, name }] : [];
  });
}

async function manifest(file: string, shell: PlaceShell): Promise<string> {
  const answer = await ask([`head -c ${MAX_BYTES} ${PRISTINE}/${file} 2>/dev/null`], shell, LIMIT_MS);
  return answer?.exitCode === 0 ? answer.stdout : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
