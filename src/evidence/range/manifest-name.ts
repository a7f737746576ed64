import { z } from "zod";
import { ask, PRISTINE, type PlaceShell } from "./place-shell.ts";

export interface ManifestName {
  name: string;
  /** Names a package of the npm registry. */
  isPublic: boolean;
}

/** npm's own rule for names; the text of a manifest is untrusted. */
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]{0,100}\/)?[a-z0-9~-][a-z0-9._~-]{0,200}$/;
/** The first name in Cargo.toml or pyproject.toml is the one of the package itself. */
const TOML_NAME =
  /^\[(?:package|project|tool\.poetry)\][ \t]*$[^[]*?^name[ \t]*=[ \t]*["']([\w.-]{1,200})["']/m;
const LIMIT_MS = 30_000;
const MAX_BYTES = 1_000_000;

const npmSchema = z.object({ name: z.string().regex(NPM_NAME), private: z.boolean().optional() });

/** The package's name in package.json, Cargo.toml or pyproject.toml of the pristine checkout; null: none of them names one. */
export async function manifestName(shell: PlaceShell): Promise<ManifestName | null> {
  const { data } = npmSchema.safeParse(parsed(await manifest("package.json", shell)));
  if (data !== undefined) return { name: data.name, isPublic: data.private !== true };
  for (const file of ["Cargo.toml", "pyproject.toml"]) {
    const name = TOML_NAME.exec(await manifest(file, shell))?.[1];
    if (name !== undefined) return { name, isPublic: false };
  }
  return null;
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
