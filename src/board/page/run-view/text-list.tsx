import type { JSX } from "preact";

/** Renders a titled list; nothing without items. */
export function TextList({ title, items }: { title: string; items: readonly string[] }): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
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
