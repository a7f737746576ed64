import { shellQuote } from "agent-tty/kit";
import { z } from "zod";
import type { PublishedVersions, RangeRegistry } from "./history.ts";
import type { ManifestName } from "./manifest-name.ts";
import { type ProbeSettings, runIn } from "./place-probe.ts";
import { ask, type PlaceShell } from "./place-shell.ts";

const versionsSchema = z.union([z.array(z.string()), z.string().transform((one) => [one])]);
const VERSION = /^[0-9][0-9A-Za-z.+-]{0,100}$/;
const LIST_MS = 30_000;
/** The options of npm. A registry that does not answer is skipped instead of retried. */
const ONCE = "--fetch-retries=0 --fetch-timeout=10000 --no-audit --no-fund --no-update-notifier";

const SEVERAL_PACKAGES =
  "the repository holds several packages, and a published one has another layout than its checkout.";

/**
 * Returns the npm registry, which is queried with the npm of the place. `readManifest` reads the manifest of the pristine checkout.
 */
export function npmRegistry(
  readManifest: () => Promise<ManifestName | null>,
  settings: ProbeSettings,
  shell: PlaceShell,
): RangeRegistry {
  let packageName: string | null = null;
  return {
    published: async () => {
      const manifest = await readManifest();
      if (manifest?.isOneOfSeveral === true) return { type: "unavailable", reason: SEVERAL_PACKAGES };
      packageName = manifest?.isPublic === true ? manifest.name : null;
      return packageName === null ? { type: "no-package" } : listed(packageName, shell);
    },
    probe: async (version) => runIn(installed(`${packageName}@${version}`), settings, shell),
  };
}

/**
 * Returns shell lines that use the tarball's files as the checkout and install its dependencies there. No install script runs.
 */
function installed(spec: string): string[] {
  return [
    "mkdir range/run range/pack || exit 91",
    `( cd range/pack && npm pack ${shellQuote(spec)} --ignore-scripts ${ONCE} ) >/dev/null 2>&1 </dev/null || exit 94`,
    "tar -xzf range/pack/*.tgz --strip-components=1 --no-same-owner -C range/run && cd range/run || exit 94",
    `npm install --omit=dev --ignore-scripts --no-save --no-package-lock ${ONCE} >/dev/null 2>&1 </dev/null || exit 94`,
  ];
}

async function listed(packageName: string, shell: PlaceShell): Promise<PublishedVersions> {
  const answer = await ask([`npm view ${shellQuote(packageName)} versions --json ${ONCE}`], shell, LIST_MS);
  if (answer?.exitCode !== 0) {
    const seen = answer === null ? "did not answer" : `was asked for ${packageName} without success`;
    return { type: "unavailable", reason: `the npm registry ${seen}.` };
  }
  const { data = [] } = versionsSchema.safeParse(parsed(answer.stdout));
  return { type: "listed", versions: data.filter((version) => VERSION.test(version)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
