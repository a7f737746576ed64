import type { JSX } from "preact";
import type { RunRowDocument } from "../../api/index.ts";

/** The shapes of the indicators (L9). They are drawn, because not every font has the symbols, and no font can make them pulse. */
const SHAPES: Record<string, { tone: string; mark: JSX.Element | null }> = {
  "⚪": { tone: "starting", mark: null },
  "🟢": { tone: "running", mark: null },
  "🟡": { tone: "waiting", mark: null },
  "🟠": { tone: "stale", mark: null },
  "✅": { tone: "done", mark: <path d="m4.7 8.3 2.2 2.2 4.4-4.8" /> },
  "🔴": { tone: "failed", mark: <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" /> },
};

/** Renders the indicator of a run. */
export function IndicatorDot({ indicator }: Pick<RunRowDocument, "indicator">): JSX.Element {
  const shape = SHAPES[indicator.symbol] ?? { tone: "starting", mark: null };
  const pulse = indicator.isPulsing ? " pulsing" : "";
  return (
    <span
      class={`indicator tone-${shape.tone}${pulse}`}
      role="img"
      aria-label={indicator.name}
      title={indicator.name}
      data-symbol={indicator.symbol}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        <circle cx="8" cy="8" r={shape.mark === null ? 4.6 : 7} />
        {shape.mark}
      </svg>
    </span>
  );
}
