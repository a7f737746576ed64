import type { JSX } from "preact";

interface TileProps {
  name: string;
  value: string;
  tone: string;
  /** A note next to the number. */
  children: string;
  isChosen?: boolean;
  /** Absent: the number is not a filter. */
  onChoose?: () => void;
}

/** Renders one number of the summary. */
export function Tile({ name, value, tone, children, isChosen, onChoose }: TileProps): JSX.Element {
  const className = `tile${tone === "" ? "" : ` tone-${tone}`}`;
  const content = (
    <>
      <span class="tile-name">{name}</span>
      <span class="tile-value">{value}</span>
      <span class="tile-note">{children}</span>
    </>
  );
  if (onChoose === undefined) return <div class={className}>{content}</div>;
  return (
    <button
      type="button"
      class={className}
      aria-pressed={isChosen === true}
      title={`Show only what is ${name}`}
      onClick={onChoose}
    >
      {content}
    </button>
  );
}
