import type { JSX } from "preact";
import { Icon } from "../chrome/index.ts";

/** Renders a button that shows the surrounding terminal, with its controls, in full screen (B5). Escape leaves it. */
export function FullScreenButton(): JSX.Element | null {
  if (!document.fullscreenEnabled) return null;
  return (
    <button
      type="button"
      class="icon-button full-screen"
      aria-label="Full screen"
      title="Full screen (Escape leaves it)"
      onClick={({ currentTarget }) => {
        const shown = document.fullscreenElement;
        void (shown === null
          ? currentTarget.closest(".replay")?.requestFullscreen()
          : document.exitFullscreen());
      }}
    >
      <Icon name="full-screen" />
    </button>
  );
}
