import { manifestName } from "./manifest-name.ts";
import { placeHistory } from "./place-history.ts";
import type { PlaceShell } from "./place-shell.ts";
import { reportedVersion } from "./reported-version.ts";
import { everyVersion } from "./version-line.ts";

export interface ReportedTagRequest {
  /** Texts that may name the reported version: those by people first, then those by the Triage Agent. */
  texts: readonly string[];
  /** The repository's names; the manifest's name is added to them. */
  productNames: readonly string[];
}

/**
 * Returns the version that the texts name as having the bug, with its commit, if the pristine checkout has a tag for it; else
 * null.
 */
export async function reportedTag(
  { texts, productNames, script }: ReportedTagRequest & { script: string },
  shell: PlaceShell,
): Promise<{ version: string; commit: string } | null> {
  const history = placeHistory(async () => manifestName(script, shell), shell);
  const tags = await history.tags();
  const packageName = await history.packageName();
  const line = everyVersion({ tags: tags.map(({ name }) => name), published: [], packageName });
  const names = packageName === null ? productNames : [...productNames, packageName];
  const reported = reportedVersion({ texts, versions: line.map(({ name }) => name), productNames: names });
  if (reported.type !== "named") return null;
  const tag = line.find(({ name }) => name === reported.version)?.tag;
  const commit = tags.find(({ name }) => name === tag)?.commit;
  return commit === undefined ? null : { version: reported.version, commit };
}
