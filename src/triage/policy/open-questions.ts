import type { Outcome } from "../outcome.ts";

/** Whether a question was asked before, in the same words, and answered since. */
export type IsAnswered = (question: string) => boolean;

export interface OpenQuestions {
  /** Empty when every question has been answered. */
  questions: readonly string[];
  hasDropped: boolean;
}

/** The questions that are left to ask (T2): never one that was asked before and answered since. */
export function openQuestions(questions: readonly string[], isAnswered: IsAnswered): OpenQuestions {
  const open = questions.filter((question) => !isAnswered(question));
  return { questions: open, hasDropped: open.length < questions.length };
}

/** The Triage Agent's own, or else what always helps. */
export function questionsOf({ questions, category }: Outcome): readonly string[] {
  return questions.length > 0 ? questions : fallbackQuestions[category];
}

const fallbackQuestions: Readonly<Record<Outcome["category"], readonly string[]>> = {
  bug: [
    "Which version shows the problem, on which operating system and runtime?",
    "Which exact steps or input show it, starting from a clean checkout?",
  ],
  enhancement: [
    "What would you call or do, and what should come of it? One example is enough.",
    "What do you do today instead, and why does it not suffice?",
  ],
};
