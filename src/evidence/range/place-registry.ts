import { z } from "zod";
import { shellQuote } from "../../workspaces/index.ts";
import type { PublishedVersions, RangeRegistry } from "./history.ts";
import { type ProbeSettings, runIn } from "./place-probe.ts";
import { ask, PRISTINE, type PlaceShell } from "./place-shell.ts";

const manifestSchema = z.object({ name: z.string(), private: z.boolean().optional() });
const versionsSchema = z.union([z.array(z.string()), z.string().transform((one) => [one])]);
/** npm's own rule for names; what stands in a manifest is untrusted. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]{0,100}\/)?[a-z0-9~-][a-z0-9._~-]{0,200}$/;
const VERSION = /^[0-9][0-9A-Za-z.+-]{0,100}$/;
const LIST_MS = 30_000;
/** A registry that does not answer is left out, not waited for. */
const ONCE = "--fetch-retries=0 --fetch-timeout=10000 --no-audit --no-fund --no-update-notifier";

/** The npm registry, through the npm of the place. */
export function npmRegistry(settings: ProbeSettings, shell: PlaceShell): RangeRegistry {
  let packageName: string | null = null;
  return {
    published: async () => {
      packageName = await nameInManifest(shell);
      return packageName === null ? { type: "no-package", packageName } : listed(packageName, shell);
    },
    probe: async (version) => runIn(installed(`${packageName}@${version}`), settings, shell),
  };
}

/** The tarball's files are the checkout; its dependencies are installed beside them, no install script is run. */
function installed(spec: string): string[] {
  return [
    "mkdir range/run range/pack || exit 91",
    `( cd range/pack && npm pack ${shellQuote(spec)} --ignore-scripts ${ONCE} ) >/dev/null 2>&1 </dev/null || exit 94`,
    "tar -xzf range/pack/*.tgz --strip-components=1 --no-same-owner -C range/run && cd range/run || exit 94",
    `npm install --omit=dev --ignore-scripts --no-save --no-package-lock ${ONCE} >/dev/null 2>&1 </dev/null || exit 94`,
  ];
}

/** null: no manifest of npm, or a private package. */
async function nameInManifest(shell: PlaceShell): Promise<string | null> {
  const answer = await ask([`head -c 1000000 ${PRISTINE}/package.json`], shell, LIST_MS);
  const { data } = manifestSchema.safeParse(parsed(answer?.exitCode === 0 ? answer.stdout : ""));
  return data === undefined || data.private === true || !NAME.test(data.name) ? null : data.name;
}

async function listed(packageName: string, shell: PlaceShell): Promise<PublishedVersions> {
  const answer = await ask([`npm view ${shellQuote(packageName)} versions --json ${ONCE}`], shell, LIST_MS);
  if (answer?.exitCode !== 0) {
    const seen = answer === null ? "did not answer" : `was asked for ${packageName} without success`;
    return { type: "unavailable", packageName, reason: `the npm registry ${seen}.` };
  }
  const { data = [] } = versionsSchema.safeParse(parsed(answer.stdout));
  return { type: "listed", packageName, versions: data.filter((version) => VERSION.test(version)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
