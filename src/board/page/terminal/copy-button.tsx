import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { browserClock, copyText } from "../browser/index.ts";
import { IconButton, useKeys } from "../chrome/index.ts";

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  /** Returns the selected text of the screen, or the text of the whole screen. */
  text: () => string;
}

/** Renders a button that copies the selected text of a screen, or all of it (B5); the key c does the same. */
export function CopyButton({ text }: CopyButtonProps): JSX.Element {
  const [said, setSaid] = useState("");
  const copy = (): void => setSaid(copyText(text()) ? "copied" : "the browser refused to copy");
  useKeys({ c: copy });
  useEffect(() => (said === "" ? undefined : browserClock.schedule(SHOWN_MS, () => setSaid(""))), [said]);
  return (
    <>
      <IconButton icon="copy" name="Copy the text of the screen or the selection (c)" onClick={copy} />
      <span class="muted small" role="status">
        {said}
      </span>
    </>
  );
}
