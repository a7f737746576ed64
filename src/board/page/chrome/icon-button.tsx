import type { JSX } from "preact";
import { Icon, type IconName } from "./icons.tsx";

interface IconButtonProps {
  icon: IconName;
  /** The button's name for screen readers, and its tooltip. */
  name: string;
  /** An additional class. */
  className?: string;
  /** Set for a toggle button. */
  isPressed?: boolean;
  onClick: (event: Event) => void;
}

/** Renders a button that shows an icon. */
export function IconButton({ icon, name, className, isPressed, onClick }: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={className === undefined ? "icon-button" : `icon-button ${className}`}
      aria-label={name}
      title={name}
      {...(isPressed === undefined ? {} : { "aria-pressed": isPressed })}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
