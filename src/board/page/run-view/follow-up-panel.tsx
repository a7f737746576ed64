import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FollowUpCommand, FollowUpDocument, RunRowDocument } from "../../api/index.ts";
import { type BoardModel, formatDuration, formatInstant, routeHash, useDocument } from "../model/index.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useControl } from "./use-control.tsx";

/** The pause, in milliseconds, before the state of a running command is read again. */
const LOOK_AGAIN_MS = 1_000;

const COMMANDS = {
  verify: {
    name: "Verify again",
    verb: "Verify",
    effect:
      "Its stored reproduction runs again in a new Coder workspace, without a Triage Agent. Nothing is written to GitHub.",
  },
  run: {
    name: "Run again",
    verb: "Run",
    effect:
      "A new Triage Run starts if the issue is eligible. It costs as much as any other run, and its outcome (comment and labels) is applied.",
  },
} as const;

/** Renders the commands that a person may start from a settled run, and the output of the started commands. */
export function FollowUpPanel({
  model,
  run,
  onEnd,
}: {
  model: BoardModel;
  run: RunRowDocument;
  /** Called when the last running command has ended, because the run's documents may have changed. */
  onEnd: () => void;
}): JSX.Element {
  const { data } = model;
  const [asked, setAsked] = useState<FollowUpCommand | null>(null);
  const [revision, setRevision] = useState(0);
  const { isBusy, ask, notice } = useControl();
  const reading = useDocument(`${run.id} follow-ups`, (signal) => data.followUps(run.id, signal), revision);
  const followUps = reading.type === "read" ? reading.document.followUps : [];
  const isRunning = followUps.some(({ end }) => end === null);
  const lookAgain = (): void => setRevision((before) => before + 1);
  useEffect(
    () =>
      isRunning || reading.type === "failed" ? model.clock.schedule(LOOK_AGAIN_MS, lookAgain) : undefined,
    [isRunning, reading],
  );
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning) onEnd();
    wasRunning.current = isRunning;
  }, [isRunning]);
  const newer = newerRun(model, run);
  return (
    <section class="card control follow-ups" aria-label="Again">
      <h2>Again</h2>
      <div class="control-row">
        {(["verify", "run"] as const).map((command) => (
          <button
            key={command}
            type="button"
            class="button"
            aria-disabled={isBusy || isRunning}
            title={COMMANDS[command].effect}
            onClick={() => (isRunning ? undefined : setAsked(command))}
          >
            {COMMANDS[command].name} …
          </button>
        ))}
      </div>
      {notice}
      {followUps.map((followUp) => (
        <StartedCommand key={followUp.startedAtMs} followUp={followUp} nowMs={model.nowMs.value} />
      ))}
      {newer === null ? null : (
        <p>
          <a href={routeHash({ view: "run", id: newer.id, tab: "terminal" })}>
            The newest Triage Run of #{run.number}
          </a>
        </p>
      )}
      {asked === null ? null : (
        <ConfirmDialog
          title={`${COMMANDS[asked].name}: #${run.number}?`}
          effect={COMMANDS[asked].effect}
          verb={COMMANDS[asked].verb}
          isDanger={false}
          onClose={() => setAsked(null)}
          onConfirm={() => void ask(() => data.startFollowUp(run.id, asked)).then(lookAgain)}
        />
      )}
    </section>
  );
}

function StartedCommand({ followUp, nowMs }: { followUp: FollowUpDocument; nowMs: number }): JSX.Element {
  const { command, startedAtMs, end, lines } = followUp;
  return (
    <section class="follow-up" aria-label={COMMANDS[command].name}>
      <p class="chips">
        <strong>{COMMANDS[command].name}</strong>
        <span class={`chip tone-${toneOf(end)}`}>{stateOf(end)}</span>
        <span class="muted" title={formatInstant(startedAtMs)}>
          {formatDuration(Math.max(0, (end?.atMs ?? nowMs) - startedAtMs))}
        </span>
      </p>
      {lines.length === 0 ? null : (
        <pre class="code wrap" dir="auto" tabIndex={0} aria-label="Its last lines">
          {lines.join("\n")}
        </pre>
      )}
    </section>
  );
}

function stateOf(end: FollowUpDocument["end"]): string {
  if (end === null) return "running";
  if (end.exitCode === 0) return "done";
  return end.exitCode === null ? "stopped by a signal" : `ended with exit code ${end.exitCode}`;
}

function toneOf(end: FollowUpDocument["end"]): "accent" | "good" | "bad" {
  if (end === null) return "accent";
  return end.exitCode === 0 ? "good" : "bad";
}

/** Returns the newest loaded run of the same issue that began later; null if there is none. */
function newerRun(model: BoardModel, run: RunRowDocument): RunRowDocument | null {
  const newest = [...model.runs.changed.value.values(), ...model.runs.rows.value]
    .filter(
      ({ repo, number, startedAtMs }) =>
        repo === run.repo && number === run.number && startedAtMs > run.startedAtMs,
    )
    .toSorted((one, other) => other.startedAtMs - one.startedAtMs)[0];
  return newest ?? null;
}
