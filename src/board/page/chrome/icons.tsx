import type { JSX } from "preact";

const PATHS = {
  sun: "M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  moon: "M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z",
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  play: "M5 3.2v9.6L12.5 8Z",
  pause: "M5.5 3v10M10.5 3v10",
  back: "M9.5 3.5 5 8l4.5 4.5",
  forward: "M6.5 3.5 11 8l-4.5 4.5",
  first: "M11.5 3.5 7 8l4.5 4.5M4.5 3.5v9",
  last: "M4.5 3.5 9 8l-4.5 4.5M11.5 3.5v9",
  bell: "M8 2.2a4 4 0 0 0-4 4c0 3.6-1.5 4.8-1.5 4.8h11S12 9.8 12 6.2a4 4 0 0 0-4-4M6.8 13.4a1.4 1.4 0 0 0 2.4 0",
  "bell-off":
    "M4.2 4.9A4 4 0 0 1 12 6.2c0 1.5.3 2.6.6 3.4M11 11H2.5S4 9.8 4 6.2M6.8 13.4a1.4 1.4 0 0 0 2.4 0M2.5 2.5l11 11",
  "full-screen": "M3 6.5V3h3.5M9.5 3H13v3.5M13 9.5V13H9.5M6.5 13H3V9.5",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4 14 14",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  external: "M6 3.5H3v9.5h9.5v-3M9 2.5h4.5V7M13.2 2.8 7.5 8.5",
  download: "M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11",
  pin: "M6 2h4l-.6 4.5L12 9H4l2.6-2.5ZM8 9v5",
} as const;
export type IconName = keyof typeof PATHS;

/** Renders a decorative icon; the element around it has the name. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
