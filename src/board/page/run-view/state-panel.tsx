import type { JSX } from "preact";
import type { TrackedStateDocument } from "../../api/index.ts";
import { Chip } from "../chrome/index.ts";
import { visibleText } from "../data/index.ts";
import { formatDuration, words } from "../model/index.ts";
import type { ShownState } from "./use-live-state.ts";

/** Renders a tracked state with the lines of the screen that are its evidence. */
export function StatePanel({ state, reason, isNow }: ShownState & { isNow?: boolean }): JSX.Element {
  if (state === null) {
    return (
      <section class="card state-panel">
        <h2>Tracked state</h2>
        <p class="muted">{reason}</p>
      </section>
    );
  }
  return (
    <section class="card state-panel">
      <h2>Tracked state</h2>
      <p class="state-phase">
        <Chip code={state.phase} />
        <span>{words(state.shows)}</span>
      </p>
      {state.availability === "available" ? null : (
        <p class="tone-text-warn">
          {words(state.availability)}
          {problem(state)}
        </p>
      )}
      <dl class="facts">
        <Row name="accepts input" value={state.acceptingInput} />
        <Row name="holds a draft" value={state.editingInput} />
        <Row name="ready posture" value={state.readyPosture} />
        <Row name="last turn" value={lastTurn(state)} />
        {isNow === true ? <Row name="stable for" value={formatDuration(state.stableForMs)} /> : null}
        <Row name="detector" value={detector(state)} />
      </dl>
      {state.activeReasons.length === 0 ? null : (
        <p class="reasons">
          {state.activeReasons.map((reason) => (
            <span key={reason} class="chip tone-accent">
              {words(reason)}
            </span>
          ))}
        </p>
      )}
      <h3>Evidence</h3>
      {state.evidence.length === 0 ? (
        <p class="muted">none</p>
      ) : (
        <ul class="evidence">
          {state.evidence.map(({ signal, text }) => (
            <li key={`${signal}${text}`}>
              <span class="muted">{words(signal)}</span>
              <code dir="auto">{visibleText(text)}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function problem({ probeError, parseError }: TrackedStateDocument): string {
  const told = [probeError, parseError].filter((text) => text !== null);
  return told.length === 0 ? "" : `: ${told.join("; ")}`;
}

function lastTurn({ lastTurn }: TrackedStateDocument): string {
  if (lastTurn.result === "none") return "none yet";
  const error = lastTurn.error === null ? "" : `: ${lastTurn.error}`;
  return `${words(lastTurn.result)}${error} (${words(lastTurn.source)})`;
}

function detector({ detector }: TrackedStateDocument): string {
  const version = detector.observedVersion === null ? "" : `, seen ${detector.observedVersion}`;
  return `${detector.family} ${detector.profile}${version}${detector.profileExtrapolated ? ", extrapolated" : ""}`;
}
