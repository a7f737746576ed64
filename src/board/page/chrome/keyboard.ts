import { useEffect } from "preact/hooks";

/**
 * Binds `KeyboardEvent.key` to actions. The keys are inactive while the user types, while a dialog is open, and with Ctrl, Alt or
 * Meta.
 */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const action = keys[event.key];
      if (action === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      if (document.querySelector("dialog[open]") !== null || event.defaultPrevented) return;
      // An input method uses Escape and Enter itself, and in a draft Escape must not leave the view.
      if (event.isComposing || (isTyped(event.target) && (event.key !== "Escape" || isDraft(event.target))))
        return;
      action(event);
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  });
}

function isTyped(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== "range" && target.type !== "checkbox";
  return target instanceof HTMLSelectElement || isDraft(target);
}

/**
 * Returns whether the element is a text field that the user can edit. A clicked terminal has the focus in its own text field, which
 * is read-only.
 */
function isDraft(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement && !target.readOnly;
}
