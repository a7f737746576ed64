import type { Issue, IssueComment, TriageNotes } from "../../../github/index.ts";
import { issueKey, mayTriage } from "../../../github/index.ts";
import {
  acceptedNotes,
  isProposal,
  type ProposalCommand,
  proposalCommands,
} from "../../publication/index.ts";
import { type AnswerDeps, nativeAnswer } from "./native-answer.ts";

/** A proposal and people's answer to it. */
export interface ReadProposal {
  answer: "accepted" | "rejected" | "none" | "unverified";
  /** The notes; those of an accepted proposal read as if it had been applied at once, so that a repair does the rest. */
  notes: TriageNotes;
  /** The comments without the commands, which are answers to us and do not count as activity. */
  comments: readonly IssueComment[];
}

/**
 * The most people whose permission is asked for, of those whom GitHub calls affiliated and of the others each: a crowd of strangers
 * must not cost a request each, nor keep an answer before theirs from being heard.
 */
const MAX_PEOPLE = 5;

/**
 * Returns the proposal with its answer; null: the notes propose nothing. Asks GitHub who may triage, because an association such
 * as "member" says nothing about that.
 */
export async function readProposal(
  notes: TriageNotes | null,
  { issue, comments }: { issue: Issue; comments: readonly IssueComment[] },
  context: AnswerDeps,
  signal: AbortSignal,
): Promise<ReadProposal | null> {
  if (notes === null || !isProposal(notes)) return null;
  const commands = proposalCommands(notes, comments);
  const ids = new Set(commands.map(({ comment }) => comment.id));
  const others = comments.filter(({ id }) => !ids.has(id));
  const answer = await firstPermitted(commands, issue, context, signal);
  if (answer === null) {
    const native = await nativeAnswer(issue.ref, notes.marker.run, context);
    const read = native === "accepted" ? acceptedNotes(notes) : notes;
    return { answer: native, notes: read, comments: others };
  }
  const { command, permission } = answer;
  const { repo, number } = issue.ref;
  const atMs = Date.parse(command.comment.createdAt);
  context.trust.record({
    type: "answered",
    key: `answered:${repo}#${number}:${command.comment.id}`,
    repo,
    number,
    runId: notes.marker.run,
    atMs,
    detail: {
      answer: command.answer,
      why: command.why,
      by: { id: command.by.id, login: command.by.login, permission },
      source: command.comment.url,
      afterMs: Math.max(0, atMs - Date.parse(notes.comment.createdAt)),
    },
  });
  return command.answer === "accept"
    ? { answer: "accepted", notes: acceptedNotes(notes), comments: others }
    : { answer: "rejected", notes, comments: others };
}

/**
 * Returns a proposal whose text is not trusted (S4), for example because it was edited: an answer accepts or rejects nothing. A
 * rejection is no activity, so that an edit alone starts no Triage Agent. null: the notes propose nothing.
 */
export function unverifiedProposal(
  notes: TriageNotes | null,
  comments: readonly IssueComment[],
): ReadProposal | null {
  if (notes === null || !isProposal(notes)) return null;
  const rejections = proposalCommands(notes, comments).filter(({ answer }) => answer === "reject");
  const ids = new Set(rejections.map(({ comment }) => comment.id));
  return { answer: "unverified", notes, comments: comments.filter(({ id }) => !ids.has(id)) };
}

async function firstPermitted(
  commands: readonly ProposalCommand[],
  { ref }: Issue,
  { trust, ports }: Pick<AnswerDeps, "trust" | "ports">,
  signal: AbortSignal,
): Promise<{ command: ProposalCommand; permission: string } | null> {
  const asked = { affiliated: new Set<number>(), others: new Set<number>() };
  let isCrowd = false;
  for (const command of commands) {
    const people = command.comment.isAffiliated === true ? asked.affiliated : asked.others;
    if (people.size >= MAX_PEOPLE && !people.has(command.by.id)) {
      isCrowd = true;
      continue;
    }
    people.add(command.by.id);
    const permission = await trust.permission(ref.repo, command.by, signal);
    if (mayTriage(permission)) return { command, permission };
  }
  const message = `${issueKey(ref)}: more than ${MAX_PEOPLE} people answered the proposal, and GitHub was asked about the permission of that many only`;
  if (isCrowd) ports.observe({ type: "warning", message });
  return null;
}
