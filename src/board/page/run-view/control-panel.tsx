import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RunRowDocument } from "../../api/index.ts";
import type { BoardData } from "../data/index.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useControl } from "./use-control.tsx";

/** The texts of both actions. Each ends a run that may have cost money, so each asks for confirmation. */
const ENDINGS = {
  stop: {
    verb: "Stop",
    effect: "Its Triage Agent is stopped and its Coder workspace is destroyed. The issue stays unchanged.",
  },
  kill: {
    verb: "Kill",
    effect: "It is marked terminated and its Coder workspace is destroyed. Nothing is published.",
  },
} as const;

/**
 * Renders the input field and the buttons to stop and kill; used only if the board was started with `--allow-control`. The send
 * gate decides what is typed, not this page (H39).
 */
export function ControlPanel({ data, run }: { data: BoardData; run: RunRowDocument }): JSX.Element {
  const [text, setText] = useState("");
  const [ending, setEnding] = useState<keyof typeof ENDINGS | null>(null);
  const { isBusy, ask, notice } = useControl();
  return (
    <section class="card control">
      <h2>Control</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== "")
            void ask(() => data.send(run.id, text)).then((type) => type === "sent" && setText(""));
        }}
      >
        <label for="input-text">Send to the Triage Agent</label>
        <textarea
          id="input-text"
          rows={2}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div class="control-row">
          <button type="submit" class="button primary" aria-disabled={isBusy || text === ""}>
            Send
          </button>
          <span class="spacer" />
          <button
            type="button"
            class="button"
            aria-disabled={isBusy}
            title="Stops the Triage Run; the issue stays unchanged"
            onClick={() => setEnding("stop")}
          >
            Stop …
          </button>
          <button
            type="button"
            class="button danger"
            aria-disabled={isBusy}
            onClick={() => setEnding("kill")}
          >
            Kill …
          </button>
        </div>
      </form>
      {notice}
      {ending === null ? null : (
        <ConfirmDialog
          title={`${ENDINGS[ending].verb} the Triage Run of #${run.number}?`}
          effect={ENDINGS[ending].effect}
          verb={ENDINGS[ending].verb}
          isDanger
          onClose={() => setEnding(null)}
          onConfirm={() => void ask(() => data[ending](run.id))}
        />
      )}
    </section>
  );
}
