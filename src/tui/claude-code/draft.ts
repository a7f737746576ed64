import type { Cell } from "agent-tty";
import type { Proof } from "../signals.ts";
import type { TuiScreen } from "../tui-screen.ts";
import type { Composer } from "./composer.ts";
import { lookOf } from "./looks.ts";

export interface Draft {
  /** Whether the box contains the user's text (H21). */
  isEditing: Proof;
  /** The user's text, wrapped rows joined with spaces; empty unless `isEditing` is yes. */
  text: string;
}

const NO_DRAFT: Draft = { isEditing: "no", text: "" };
/** Known placeholders, for screens whose style cannot distinguish them from a draft. */
const PLACEHOLDER = /^(?:Try "|Press up to edit queued|Resend your message|Once fixed, resend)/;

/** The signs of a box whose text becomes a shell command or a memory. */
const MODE_SIGN = /[!#]/;

/** Returns whether the box is in a mode in which a prompt would not be sent as a message. */
export function isOtherMode({ lines }: TuiScreen, { promptRow, textCol }: Composer): boolean {
  return MODE_SIGN.test((lines[promptRow] ?? "").charAt(textCol - 2));
}

/**
 * Returns the draft in the box. The sign of another mode counts as the beginning of a draft. Placeholders and ghost suggestions
 * are not user text; they are faint after an inverse first letter.
 */
export function readDraft(screen: TuiScreen, composer: Composer): Draft {
  const draft = readText(screen, composer);
  return draft.isEditing === "no" && isOtherMode(screen, composer) ? { isEditing: "yes", text: "" } : draft;
}

function readText(screen: TuiScreen, composer: Composer): Draft {
  const rows = textRows(screen, composer);
  const text = rows
    .map((row) => row.trim())
    .join(" ")
    .trim();
  if (text === "") return NO_DRAFT;
  const isEditing =
    provenByStyle(inkOf(screen, composer), composer.prompt !== "unknown") ??
    provenByCursor(screen, composer, text);
  return isEditing === "no" ? NO_DRAFT : { isEditing, text: isEditing === "yes" ? text : "" };
}

function textRows(screen: TuiScreen, { promptRow, bottomRow, textCol }: Composer): string[] {
  return screen.lines
    .slice(promptRow, bottomRow)
    .map((line) => line.slice(textCol).replace(/│$/, "").replaceAll("\u00a0", " "));
}

/** Returns the cells of the box's text that are not blank. */
function inkOf(screen: TuiScreen, { promptRow, bottomRow, textCol, endCol }: Composer): Cell[] {
  const rows = Array.from({ length: bottomRow - promptRow }, (_, index) => promptRow + index);
  return rows.flatMap((row) =>
    screen
      .cellsOf(row)
      .slice(textCol, endCol)
      .filter(({ char }) => char.trim() !== ""),
  );
}

/**
 * Returns whether the text is the user's, by its style, or null when the style does not decide. The inverse cell is the cursor
 * that the TUI draws, whatever its character.
 */
function provenByStyle(ink: readonly Cell[], isPainted: boolean): Proof | null {
  const written = ink.filter(({ style }) => !style.attributes.includes("inverse"));
  if (written.length === 0) return ink.length === 0 ? null : "yes";
  if (written.every(({ style }) => style.bg !== "default")) return "no";
  const looks = new Set(written.map(lookOf));
  if (looks.has("colored")) return "yes";
  if (!looks.has("default")) return looks.has("faint") ? "no" : "unknown";
  return isPainted || written.length < ink.length || looks.size > 1 ? "yes" : null;
}

/** Returns whether the text is the user's, by the cursor: it stands before a placeholder and after typed text. */
function provenByCursor(
  { cursor }: TuiScreen,
  { promptRow, bottomRow, textCol }: Composer,
  text: string,
): Proof {
  if (PLACEHOLDER.test(text)) return "no";
  if (cursor === null) return "yes";
  const isInside = cursor.row >= promptRow && cursor.row < bottomRow;
  return isInside && cursor.row === promptRow && cursor.col <= textCol ? "no" : "yes";
}
