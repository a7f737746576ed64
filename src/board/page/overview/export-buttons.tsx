import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { browserClock } from "../browser/index.ts";
import { Icon } from "../chrome/index.ts";
import { type BoardData, type Failure, failureOf } from "../data/index.ts";
import { type ExportFormat, exportRuns, type RunFilters } from "../model/index.ts";

/** Renders buttons that save the runs which match the filters (B10). */
export function ExportButtons({ data, filters }: { data: BoardData; filters: RunFilters }): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const save = async (format: ExportFormat): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      saveAs(
        await exportRuns(data, filters, format, AbortSignal.timeout(PATIENCE_MS)),
        `triage-runs.${format}`,
      );
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };
  return (
    <span class="export">
      {(["csv", "json"] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="button small"
          aria-disabled={isBusy}
          title={`Save the Triage Runs that match as ${format.toUpperCase()}`}
          onClick={() => void save(format)}
        >
          <Icon name="download" /> {format.toUpperCase()}
        </button>
      ))}
      {failure === null ? null : <span class="tone-text-bad">{failure.message}</span>}
    </span>
  );
}

const PATIENCE_MS = 120_000;
/** The time, in milliseconds, after which the browser has certainly begun to read the file. */
const READ_MS = 10_000;

function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  browserClock.schedule(READ_MS, () => URL.revokeObjectURL(url));
}
