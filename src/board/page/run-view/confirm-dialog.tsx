import type { JSX } from "preact";
import { Dialog } from "../chrome/index.ts";

interface ConfirmDialogProps {
  title: string;
  effect: string;
  /** The verb on the button that confirms. */
  verb: string;
  isDanger: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Renders a dialog that asks for confirmation before an action that costs money or destroys work. */
export function ConfirmDialog({
  title,
  effect,
  verb,
  isDanger,
  onConfirm,
  onClose,
}: ConfirmDialogProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{effect}</p>
      <div class="control-row">
        <button type="button" class="button" onClick={onClose}>
          Leave it
        </button>
        <button
          type="button"
          class={`button ${isDanger ? "danger" : "primary"}`}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {verb} it
        </button>
      </div>
    </Dialog>
  );
}
