import type { Issue } from "../../github/index.ts";
import type { Condition, Query } from "./query.ts";

/** Returns whether every condition holds. Names match regardless of case, as on GitHub. */
export function matchesQuery(issue: Issue, query: Query): boolean {
  return query.every((condition) => holds(issue, condition) !== condition.not);
}

function holds(issue: Issue, condition: Condition): boolean {
  const { title, body, labels, milestone, author } = issue;
  switch (condition.type) {
    case "label":
      return labels.some((label) => condition.anyOf.includes(label.toLowerCase()));
    case "author":
      return author?.login.toLowerCase() === condition.value;
    case "milestone":
      return milestone?.toLowerCase() === condition.value;
    case "word":
      return `${title}\n${body}`.toLowerCase().includes(condition.value);
    case "title":
      return title.toLowerCase().includes(condition.value);
    case "no":
      return condition.value === "label" ? labels.length === 0 : milestone === null;
    case "created":
    case "updated":
    case "comments":
    case "reactions":
    case "number": {
      const value = valueOf(issue, condition.type);
      return value >= condition.from && value <= condition.to;
    }
  }
}

function valueOf(issue: Issue, type: "created" | "updated" | "comments" | "reactions" | "number"): number {
  switch (type) {
    case "created":
      return Date.parse(issue.createdAt);
    case "updated":
      return Date.parse(issue.updatedAt);
    case "comments":
      return issue.commentCount;
    case "reactions":
      return issue.reactionCount;
    case "number":
      return issue.ref.number;
  }
}
