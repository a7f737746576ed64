import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { Dialog } from "./dialog.tsx";

export const isHelpOpen = signal(false);

const KEYS: readonly (readonly [title: string, keys: readonly (readonly [string, string])[]])[] = [
  [
    "Everywhere",
    [
      ["?", "this help"],
      ["b", "the board"],
      ["p", "the plots"],
      ["d", "the duplicates"],
      ["t", "trust: how maintainers reacted to outcomes"],
      ["Escape", "back, or clear the filters"],
    ],
  ],
  [
    "Board",
    [
      ["j  k", "next, previous Triage Run"],
      ["Enter", "open it"],
      ["/", "search"],
      ["l", "only live Triage Runs"],
    ],
  ],
  [
    "Slots of a batch",
    [
      ["←  →", "previous, next Triage Run of the slot"],
      ["↑  ↓", "the slot above, below"],
      ["Home  End", "first, last Triage Run"],
      ["Enter", "open it"],
    ],
  ],
  [
    "Recording",
    [
      ["Space", "play or pause"],
      ["←  →", "5 seconds back or forward"],
      [",  .", "one step back or forward"],
      ["[  ]", "previous, next mark"],
      ["Home  End", "start, end"],
      ["/", "search in the text"],
      ["n  N", "next, previous result"],
      ["c", "copy the screen or the selection"],
    ],
  ],
];

/** Renders the dialog with the keyboard shortcuts when it is open. */
export function HelpDialog(): JSX.Element | null {
  if (!isHelpOpen.value) return null;
  const close = (): void => void (isHelpOpen.value = false);
  return (
    <Dialog title="Keyboard" onClose={close}>
      <div class="help-columns">
        {KEYS.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl class="keys">
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    {key.split("  ").map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <button type="button" class="button" onClick={close}>
        Close
      </button>
    </Dialog>
  );
}
