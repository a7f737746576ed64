import type { JSX } from "preact";
import type { TotalsDocument } from "../../api/index.ts";
import { Icon } from "../chrome/index.ts";
import { label, type RunFilters } from "../model/index.ts";

/** Every Display Status. */
const STATUSES = [
  "needs_input",
  "working",
  "idle",
  "no_signal",
  "pr_open",
  "draft",
  "ci_failed",
  "changes_requested",
  "review_pending",
  "approved",
  "mergeable",
  "merged",
  "terminated",
];

type Change = (part: Partial<RunFilters>) => void;

interface FilterBarProps {
  filters: RunFilters;
  /** null until they are known. */
  totals: TotalsDocument | null;
  onChange: Change;
}

/** Renders the filters. */
export function FilterBar({ filters, totals, onChange }: FilterBarProps): JSX.Element {
  return (
    <search class="filters" aria-label="Filter Triage Runs">
      <label class="search-field">
        <Icon name="search" />
        <span class="visually-hidden">Search</span>
        <input
          type="search"
          id="search"
          placeholder="Search title, number, reason …  ( / )"
          value={filters.text}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.isComposing) return;
            // Otherwise, Firefox would follow the link that this key press focuses.
            event.preventDefault();
            document.querySelector<HTMLElement>(".run-row a")?.focus();
          }}
        />
      </label>
      <Choice
        name="Repository"
        value={filters.repo}
        choices={totals?.repos ?? []}
        onChange={(repo) => onChange({ repo })}
      />
      <Choice
        name="Status"
        value={filters.status}
        choices={STATUSES}
        onChange={(status) => onChange({ status })}
      />
      <Choice
        name="Outcome"
        value={filters.result}
        choices={Object.keys(totals?.results ?? {}).toSorted()}
        onChange={(result) => onChange({ result })}
      />
      <label class="toggle">
        <input
          type="checkbox"
          checked={filters.onlyLive}
          onChange={({ currentTarget }) => onChange({ onlyLive: currentTarget.checked })}
        />
        <span>only live</span>
      </label>
    </search>
  );
}

/** Moves the focus to the search field. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("#search");
  field?.focus();
  field?.select();
}

interface ChoiceProps {
  name: string;
  value: string | null;
  choices: readonly string[];
  onChange: (value: string | null) => void;
}

/** Renders a filter's choices. The chosen value stays visible even when no run has it any more. */
function Choice({ name, value, choices, onChange }: ChoiceProps): JSX.Element {
  const all = value === null || choices.includes(value) ? choices : [value, ...choices];
  return (
    <label class={`choice${value === null ? "" : " chosen"}`}>
      <span class="visually-hidden">{name}</span>
      <select
        value={value ?? ""}
        onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? null : currentTarget.value)}
      >
        <option value="">{name}</option>
        {all.map((choice) => (
          <option key={choice} value={choice}>
            {name === "Repository" ? choice : label(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}
