import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RecordingHit } from "../../api/index.ts";
import { FailureNotice, Icon, useKeys } from "../chrome/index.ts";
import { count, formatClock } from "../model/index.ts";
import { type RecordingSearch, type SearchLoader, useRecordingSearch } from "./use-recording-search.ts";

interface SearchPanelProps {
  load: SearchLoader;
  durationMs: number;
  /** Called to show the moment of a result. */
  onHit: (tMs: number) => void;
  onClose: () => void;
}

/** Renders the search in a recording's text (B5): a field, and the lines that contain the text, with their time. */
export function SearchPanel({ load, durationMs, onHit, onClose }: SearchPanelProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [current, setCurrent] = useState<number | null>(null);
  // The position is a ref, because key presses may come faster than renders.
  const at = useRef<number | null>(null);
  const select = (index: number | null): void => {
    at.current = index;
    setCurrent(index);
  };
  const search = useRecordingSearch(text.trim(), load);
  const { hits, failure } = search;
  useEffect(() => field.current?.focus(), []);
  const show = (index: number): void => {
    const hit = hits[index];
    if (hit === undefined) return;
    select(index);
    onHit(hit.tMs);
  };
  const next = (): void => show(at.current === null || at.current + 1 >= hits.length ? 0 : at.current + 1);
  const previous = (): void => show((at.current ?? 0) === 0 ? hits.length - 1 : (at.current ?? 0) - 1);
  useKeys({ n: next, N: previous });
  return (
    <section class="recording-search" aria-label="Search in the recording">
      <div class="recording-search-row">
        <label class="search-field">
          <Icon name="search" />
          <span class="visually-hidden">Text to find in the recording</span>
          <input
            ref={field}
            type="search"
            placeholder="Find in the recording"
            maxLength={200}
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              select(null);
            }}
            onKeyDown={(event) => {
              if ((event.key !== "Enter" && event.key !== "Escape") || event.isComposing) return;
              // The page's own Escape key would leave the run.
              event.preventDefault();
              if (event.key === "Escape") onClose();
              else if (event.shiftKey) previous();
              else next();
            }}
          />
        </label>
        <button type="button" class="button small" disabled={hits.length === 0} onClick={previous}>
          Previous (N)
        </button>
        <button type="button" class="button small" disabled={hits.length === 0} onClick={next}>
          Next (n)
        </button>
        <button type="button" class="button small" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="muted small" role="status">
        {describe(search, durationMs)}
      </p>
      {failure === null ? null : <FailureNotice failure={failure} />}
      {hits.length === 0 ? null : <Hits hits={hits} current={current} onShow={show} />}
      {search.state === "stopped" && failure === null ? (
        <button type="button" class="button small" onClick={search.goOn}>
          Continue the search
        </button>
      ) : null}
    </section>
  );
}

interface HitsProps {
  hits: readonly RecordingHit[];
  current: number | null;
  onShow: (index: number) => void;
}

function Hits({ hits, current, onShow }: HitsProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(
    () => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }),
    [current],
  );
  return (
    <ol ref={list} class="hits" aria-label="Results" tabIndex={-1}>
      {hits.map(({ seq, tMs, before, found, after }, index) => (
        <li key={`${seq} ${index}`}>
          <button
            type="button"
            onClick={() => onShow(index)}
            {...(index === current ? { "aria-current": "true" as const } : {})}
          >
            <span class="muted number">{formatClock(tMs)}</span>
            <code>
              {before}
              <mark>{found}</mark>
              {after}
            </code>
          </button>
        </li>
      ))}
    </ol>
  );
}

function describe({ state, hits, searchedMs }: RecordingSearch, durationMs: number): string {
  const results = hits.length === 0 ? "no result" : count(hits.length, "result");
  const place = `${formatClock(searchedMs)} of ${formatClock(durationMs)}`;
  switch (state) {
    case "idle":
      return "Enter or n goes to the next result, N to the previous one. A line that is painted again is listed once.";
    case "searching":
      return `searching … ${results} up to ${place}`;
    case "stopped":
      return `${results} up to ${place}, where the search stopped`;
    case "complete":
      return `${results} in the whole recording`;
  }
}
