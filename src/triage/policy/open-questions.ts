import type { Outcome } from "../outcome.ts";

/** Whether a question was already asked, in the same words, and has been answered since. */
export type IsAnswered = (question: string) => boolean;

export interface OpenQuestions {
  /** Empty when every question has been answered. */
  questions: readonly string[];
  hasDropped: boolean;
}

/** Returns the questions that are left to ask (T2), without those that have been asked and answered. */
export function openQuestions(questions: readonly string[], isAnswered: IsAnswered): OpenQuestions {
  const open = questions.filter((question) => !isAnswered(question));
  return { questions: open, hasDropped: open.length < questions.length };
}

/** Returns the Triage Agent's own questions, or generic ones if it has none. */
export function questionsOf({ questions, category }: Outcome): readonly string[] {
  return questions.length > 0 ? questions : fallbackQuestions[category];
}

const fallbackQuestions: Readonly<Record<Outcome["category"], readonly string[]>> = {
  bug: [
    "Which version shows the problem, on which operating system and runtime?",
    "Which exact steps or input show it, starting from a clean checkout?",
  ],
  enhancement: [
    "What would you call or do, and what should the result be? One example is enough.",
    "What do you do today instead, and why is that not enough?",
  ],
};
