import { shellQuote } from "agent-tty/kit";
import { type Product, productOf } from "../controls/index.ts";
import { PRISTINE } from "../pipeline/index.ts";
import { ask, type PlaceShell } from "../range/index.ts";

const LIMIT_MS = 30_000;
const MANIFEST_MAX_BYTES = 1_000_000;

/** Returns the product's files at a commit. Only files that git tracks count. */
export async function productAt(commit: string, shell: PlaceShell): Promise<Product> {
  const git = `git -C ${PRISTINE}`;
  const listed = await ask([`${git} ls-tree -r --name-only -z ${shellQuote(commit)}`], shell, LIMIT_MS);
  const files = listed?.exitCode === 0 ? listed.stdout.split("\0").filter((path) => path !== "") : [];
  const manifest = await ask(
    [`${git} show ${shellQuote(`${commit}:package.json`)} 2>/dev/null | head -c ${MANIFEST_MAX_BYTES}`],
    shell,
    LIMIT_MS,
  );
  return productOf({ files, tracked: new Set(files), dependencies: dependenciesOf(manifest?.stdout ?? "") });
}

function dependenciesOf(text: string): string[] {
  try {
    const found = JSON.parse(text) as { dependencies?: unknown };
    const { dependencies } = found;
    return dependencies !== null && typeof dependencies === "object" ? Object.keys(dependencies) : [];
  } catch {
    return [];
  }
}
