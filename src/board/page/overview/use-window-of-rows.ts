import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

export interface WindowOfRows {
  from: number;
  to: number;
  rowHeight: number;
  /** Scrolls a row into view, below the fixed headers. */
  scrollTo(row: number): void;
}

/** The number of rows rendered above and below the visible rows. */
const MARGIN_ROWS = 12;
/** The row heights in overview.css: two lines per row, three in a narrow window. */
const WIDE = { rowHeight: 52, query: "(min-width: 761px)" };
const NARROW_ROW_HEIGHT = 84;
/** The height of the page's and the table's fixed headers. */
const COVERED_PX = 90;

/** Returns the range of rows to render, updated on scrolling and resizing. */
export function useWindowOfRows(body: RefObject<HTMLElement | null>, count: number): WindowOfRows {
  const [, redraw] = useState(0);
  useEffect(() => {
    let isDue = false;
    const look = (): void => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        redraw((drawn) => drawn + 1);
      });
    };
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    look();
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, []);
  const rowHeight = window.matchMedia(WIDE.query).matches ? WIDE.rowHeight : NARROW_ROW_HEIGHT;
  const topPx = body.current?.getBoundingClientRect().top ?? 0;
  const first = Math.floor(-topPx / rowHeight) - MARGIN_ROWS;
  const visible = Math.ceil(window.innerHeight / rowHeight) + 2 * MARGIN_ROWS;
  const from = Math.max(0, Math.min(first, count - visible));
  return {
    from,
    to: Math.min(count, from + visible),
    rowHeight,
    scrollTo: (row) => {
      const top = (body.current?.getBoundingClientRect().top ?? 0) + row * rowHeight;
      if (top < COVERED_PX) window.scrollBy(0, top - COVERED_PX);
      const below = top + rowHeight - window.innerHeight;
      if (below > 0) window.scrollBy(0, below);
    },
  };
}
