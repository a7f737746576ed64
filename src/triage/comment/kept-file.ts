import { codeSpan, type Markdown, ourMarkdown, shownText } from "../../github/index.ts";

/**
 * Where readers of a comment find the files that a Triage Batch keeps (V8). The address comes from the operator, never from a
 * model.
 */
export type EvidenceLocation =
  /** The page of the Actions run, whose artifacts hold the home. */
  | { type: "actions-run"; url: string }
  /** `evidence.url`: the address at which the operator serves `<home>/runs`. */
  | { type: "base"; url: string }
  /** The files are only on the machine that ran the batch. */
  | { type: "home" };

export interface KeptFile {
  /** Relative to `<home>/runs`, with slashes; its first part is the run id. */
  path: string;
  location: EvidenceLocation;
}

/**
 * Returns a link if there is an address, otherwise the run id and the path relative to the home; never an absolute path of a
 * machine.
 */
export function renderKeptFile({ path, location }: KeptFile): Markdown {
  const named = codeSpan(shownText(`runs/${path}`));
  switch (location.type) {
    case "actions-run":
      return ourMarkdown`${named} in ${link(ourMarkdown`the artifacts of this run`, `${location.url}#artifacts`)}`;
    case "base":
      return link(
        named,
        `${location.url.replace(/\/+$/, "")}/${path.split("/").map(encodeURIComponent).join("/")}`,
      );
    case "home":
      return ourMarkdown`${named} in the home of Triage Batch ${codeSpan(shownText(path.split("/")[0] ?? ""))}`;
  }
}

/** Returns a link. Characters that would end the link or begin another construct of Markdown or HTML are percent-encoded. */
function link(text: Markdown, address: string): Markdown {
  const target = new URL(address).href.replaceAll(
    /[^A-Za-z0-9\-._~:/?#&=%+,;]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return ourMarkdown`[${text}](${target as Markdown})`;
}
