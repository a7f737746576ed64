import type { IssueComment, Person, TriageNotes } from "../../github/index.ts";
import type { PublicationTarget } from "../policy/index.ts";
import { closeReasonOf } from "./publication-target.ts";

/** In the marker of a proposal: what a person who accepts it also asks for. */
const PROPOSES = "proposes";
const LABELS_ONLY = "labels";

/** Further fields of the marker of a proposal. Programs that do not know them read notes that changed nothing. */
export function proposalExtra(proposed: PublicationTarget): Record<string, string> {
  return { [PROPOSES]: proposed.close ?? LABELS_ONLY };
}

/** Whether our comment proposes labels instead of having set them. */
export function isProposal({ marker }: TriageNotes): boolean {
  return marker.extra[PROPOSES] !== undefined;
}

/** The notes as they would be, had the proposal been applied: a repair of them does what was proposed, and says nothing more. */
export function acceptedNotes(notes: TriageNotes): TriageNotes {
  const { labels: _left, close: _none, ...extra } = notes.marker.extra;
  const close = closeReasonOf(extra[PROPOSES]);
  return {
    ...notes,
    marker: { ...notes.marker, extra: { ...extra, ...(close === null ? {} : { close }) } },
  };
}

/** An answer to a proposal as somebody wrote it; whether they may answer is another question. */
export interface ProposalCommand {
  comment: IssueComment;
  by: Person;
  answer: "accept" | "reject";
  why: string;
}

const COMMAND = /^\/triage[ \t]+(accept|reject)\b[ \t]*:?[ \t]*(.*)$/i;
const WHY_MAX_CHARACTERS = 500;

/** The answers below a proposal, the newest first. The first line of a comment counts; bots and deleted accounts do not. */
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
