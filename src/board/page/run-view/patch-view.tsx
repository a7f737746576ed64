import type { JSX } from "preact";
import { FailureNotice, Reading } from "../chrome/index.ts";
import { type BoardData, visibleText } from "../data/index.ts";
import { useDocument } from "../model/index.ts";

/** The size, in bytes, of the largest patch that the page shows; a larger patch can only be downloaded. */
export const MAX_PATCH_BYTES = 256 * 1024;

/** Renders the patch of a run as coloured lines (B10). */
export function PatchView({ data, id }: { data: BoardData; id: string }): JSX.Element {
  const patch = useDocument(`patch ${id}`, (signal) => data.artifactText(id, "patch", signal));
  if (patch.type === "failed") return <FailureNotice failure={patch.failure} />;
  if (patch.type === "reading") return <Reading what="the patch" />;
  return (
    <pre class="code patch" tabIndex={0}>
      {visibleText(patch.document)
        .split("\n")
        .map((line, index) => (
          <span key={index} class={classOf(line)}>
            {`${line}\n`}
          </span>
        ))}
    </pre>
  );
}

function classOf(line: string): string {
  if (/^(?:diff|index|---|\+\+\+) /.test(line)) return "patch-file";
  if (line.startsWith("@@")) return "patch-place";
  return line.startsWith("+") ? "patch-added" : line.startsWith("-") ? "patch-removed" : "";
}
