import type { JSX } from "preact";

interface TextListProps {
  title: string;
  /** The heading level of the title, below the section's. */
  level: "h3" | "h4";
  items: readonly string[];
}

/** Renders a list with a title; renders nothing if there are no items. */
export function TextList({ title, level: Title, items }: TextListProps): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <>
      <Title>{title}</Title>
      <ul>
        {items.map((item) => (
          <li key={item} dir="auto">
            {item}
          </li>
        ))}
      </ul>
    </>
  );
}
