import type { JSX } from "preact";
import { Icon } from "../chrome/index.ts";
import { type RunFilters, words } from "../model/index.ts";

type Change = (part: Partial<RunFilters>) => void;

interface FilterBarProps {
  filters: RunFilters;
  choices: Record<"repo" | "status" | "result", string[]>;
  onChange: Change;
}

/** Renders the filters. */
export function FilterBar({ filters, choices, onChange }: FilterBarProps): JSX.Element {
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
            if (event.key === "Enter") document.querySelector<HTMLElement>(".run-row a")?.focus();
          }}
        />
      </label>
      <Choice
        name="Repository"
        value={filters.repo}
        choices={choices.repo}
        onChange={(repo) => onChange({ repo })}
      />
      <Choice
        name="Status"
        value={filters.status}
        choices={choices.status}
        onChange={(status) => onChange({ status })}
      />
      <Choice
        name="Outcome"
        value={filters.result}
        choices={choices.result}
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

/** Keeps the chosen value visible when no run has it any more. */
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
            {name === "Repository" ? choice : words(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}
