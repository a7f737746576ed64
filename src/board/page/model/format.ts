/** Returns a duration like the command line: 850 ms, 12 s, 3 min 05 s, 1 h 02 min. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = Math.floor(durationMs / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** Returns a position on a time line: 3:05, 1:02:07. */
export function formatClock(durationMs: number): string {
  const seconds = Math.floor(Math.max(0, durationMs) / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** Returns an amount of US dollars; null: the amount is unknown. */
export function formatUsd(usd: number | null): string {
  if (usd === null) return "–";
  if (usd > 0 && usd < 0.01) return "< $0.01";
  return `$${usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** Returns a rate from 0 to 1 in percent: 95 %. */
export function formatRate(rate: number): string {
  return `${Math.round(rate * 100)}\u00a0%`;
}

export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1_000) return `${sizeBytes} B`;
  if (sizeBytes < 1_000_000) return `${(sizeBytes / 1_000).toFixed(1)} kB`;
  return `${(sizeBytes / 1_000_000).toFixed(1)} MB`;
}

const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** Returns a time in the reader's time zone: 02:00, on another day "Fri 20 Nov 02:00", in another year "20 Nov 2025 02:00". */
export function formatMoment(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
  const today = new Date(nowMs);
  if (at.toDateString() === today.toDateString()) return time;
  const isThisYear = at.getFullYear() === today.getFullYear();
  return `${isThisYear ? day.format(at).replace(",", "") : date.format(at)} ${time}`;
}

/** Returns a time with its date and time zone (UTC). */
export function formatInstant(at: number | string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? String(at)
    : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Display texts for Display Statuses and similar codes; any other code is shown as is. */
const LABELS: Readonly<Record<string, string>> = {
  needs_input: "waits for you",
  no_signal: "no sign of life",
  idle: "at rest",
  terminated: "ended",
  pr_open: "pull request open",
  draft: "draft pull request",
  ci_failed: "checks failed",
  review_pending: "in review",
  mergeable: "ready to merge",
  requeued: "put back in the queue",
  "needs-triage": "needs a person's triage",
};

/** Returns the display text of a code: needs_input → waits for you (B8). */
export function label(code: string): string {
  return LABELS[code] ?? words(code);
}

/** Returns a code with spaces instead of hyphens and underscores: ready-for-agent → ready for agent. */
export function words(code: string): string {
  return code.replaceAll(/[_-]/g, " ");
}

/** Returns a number with its noun in singular or plural. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
