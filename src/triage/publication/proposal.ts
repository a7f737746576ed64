import type { IssueComment, Person, TriageNotes } from "../../github/index.ts";
import type { PublicationTarget } from "../policy/index.ts";
import { closeReasonOf, type MarkerExtra } from "./publication-target.ts";

/** A field in the marker of a proposal: its value is the close reason that is part of the proposal, or `labels`. */
const PROPOSES = "proposes";
const LABELS_ONLY = "labels";

/** Returns further fields of a proposal's marker. Programs that do not know them read the notes as notes that changed nothing. */
export function proposalExtra(proposed: PublicationTarget): Record<string, string> {
  return { [PROPOSES]: proposed.close ?? LABELS_ONLY };
}

/** Returns whether our comment proposes labels instead of having set them. */
export function isProposal({ marker }: MarkerExtra): boolean {
  return marker.extra[PROPOSES] !== undefined;
}

/** Returns the notes as if the proposal had been applied. A repair of these notes applies the proposal and adds no comment. */
export function acceptedNotes(notes: TriageNotes): TriageNotes {
  const { labels: _left, close: _none, ...extra } = notes.marker.extra;
  const close = closeReasonOf(extra[PROPOSES]);
  return {
    ...notes,
    marker: { ...notes.marker, extra: { ...extra, ...(close === null ? {} : { close }) } },
  };
}

/** An answer to a proposal. Whether its author may answer is checked elsewhere. */
export interface ProposalCommand {
  comment: IssueComment;
  by: Person;
  answer: "accept" | "reject";
  why: string;
}

const COMMAND = /^\/triage[ \t]+(accept|reject)\b[ \t]*:?[ \t]*(.*)$/i;
const WHY_MAX_CHARACTERS = 500;

/**
 * Returns the answers below a proposal, the newest first. Only the first line of a comment is read; comments of bots and deleted
 * accounts are ignored.
 */
export function proposalCommands(notes: TriageNotes, comments: readonly IssueComment[]): ProposalCommand[] {
  return comments
    .filter(({ id }) => id > notes.comment.id)
    .flatMap((comment): ProposalCommand[] => {
      const { author, body } = comment;
      const [, answer, why = ""] = COMMAND.exec(body.trimStart().split(/\r?\n/, 1)[0] ?? "") ?? [];
      if (answer === undefined || author === null || author.isBot) return [];
      const isAccepted = answer.toLowerCase() === "accept";
      return [
        {
          comment,
          by: author,
          answer: isAccepted ? "accept" : "reject",
          why: why.trim().slice(0, WHY_MAX_CHARACTERS),
        },
      ];
    })
    .toReversed();
}
