import type { JSX } from "preact";
import type { TrackedStateDocument } from "../../api/index.ts";
import { type BoardData, visibleText } from "../data/index.ts";
import { words } from "../model/index.ts";
import { useControl } from "./use-control.tsx";

interface DialogPanelProps {
  data: BoardData;
  id: string;
  dialog: NonNullable<TrackedStateDocument["dialog"]>;
  canControl: boolean;
}

/**
 * Renders the dialog for which the Triage Agent waits, with its rows as buttons (B9). The page sends the dialog along with the
 * answer, so that an answer never reaches another question.
 */
export function DialogPanel({ data, id, dialog, canControl }: DialogPanelProps): JSX.Element {
  const { isBusy, ask, notice } = useControl();
  const { kind, heading, choices } = dialog;
  return (
    <section class="card dialog-panel" aria-label="The Triage Agent asks">
      <h2>The Triage Agent asks</h2>
      <p dir="auto">
        <span class="chip tone-warn">{words(kind)}</span> {visibleText(heading)}
      </p>
      <ol class="choices">
        {choices.map((label, choice) => (
          <li key={choice}>
            {canControl ? (
              <button
                type="button"
                class="button"
                dir="auto"
                aria-disabled={isBusy}
                onClick={() =>
                  void ask(() => data.answerDialog(id, { dialog: { kind, heading, choices }, choice }))
                }
              >
                {visibleText(label)}
              </button>
            ) : (
              <span dir="auto">{visibleText(label)}</span>
            )}
          </li>
        ))}
      </ol>
      {canControl && choices.length > 0 ? null : (
        <p class="muted">
          Answer it in the terminal (<code>afk-triage attach</code>)
          {canControl ? "" : ", or here with serve --allow-control"}.
        </p>
      )}
      {notice}
    </section>
  );
}
