import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });
const PACKAGE_FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * Returns the notices of every package that a bundle contains: name, version, licence and the text of its licence files. `inputs`
 * are the bundler's input paths, relative to `root`. Throws if a package names no licence and ships no licence file.
 */
export function thirdPartyNotices(root: string, inputs: Iterable<string>): string {
  const folders = new Set([...inputs].flatMap((path) => PACKAGE_FOLDER.exec(path)?.[1] ?? []));
  const sections = [...folders].toSorted().map((folder) => noticeOf(join(root, folder)));
  return `# Third-party notices\n\nThe bundles in this folder contain these packages. Fonts: see fonts/NOTICE.\n\n${sections.join("\n")}`;
}

function noticeOf(folder: string): string {
  const { name, version, license } = manifest.parse(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => LICENSE_FILE.test(file)) : [];
  if (license === undefined && files.length === 0)
    throw new Error(
      `looked for the licence of the bundled package ${name}@${version}: its package.json states none and it ships no licence file. ` +
        "What to do: replace the package, or ask its authors.",
    );
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trimEnd());
  const quoted = texts.map((text) => `\n~~~text\n${text.replaceAll("~~~", "~ ~ ~")}\n~~~\n`).join("");
  return `## ${name} ${version}\n\nLicence: ${license ?? "see below"}\n${quoted}`;
}
