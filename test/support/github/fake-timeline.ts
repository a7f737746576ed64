import type {
  IssueComment,
  LabelEvent,
  Person,
  RepositoryPermission,
  TimelineFact,
} from "../../../src/github/index.ts";

/** Returns the events of an issue of the fake GitHub in the form of a timeline. */
export function fakeTimeline(stored: {
  events: readonly LabelEvent[];
  comments: readonly IssueComment[];
  happened: readonly TimelineFact[];
}): TimelineFact[] {
  const { events, comments, happened } = stored;
  const labelled = events.map(({ label, action, actor, createdAt }): TimelineFact => {
    return { type: action, label, actor, at: createdAt };
  });
  const said = comments.map(({ author, createdAt }): TimelineFact => {
    return { type: "commented", actor: author, at: createdAt };
  });
  return structuredClone([...labelled, ...said, ...happened]).toSorted((a, b) => a.at.localeCompare(b.at));
}

export function stateFact(state: "open" | "closed", at: string, actor: Person | null): TimelineFact {
  return state === "closed" ? { at, actor, type: "closed", commit: null } : { at, actor, type: "reopened" };
}

/** Creates permissions: everybody has read and the maintainer triage, until the test changes them. */
export function fakePermissions(maintainer: string) {
  const known = new Map<string, RepositoryPermission>([[maintainer, "triage"]]);
  const isAffiliated = (login: string): boolean =>
    !["none", "read", "unknown"].includes(known.get(login) ?? "read");
  return {
    /** A field of what the login writes from now on. */
    affiliation: (login: string): { isAffiliated?: true } =>
      isAffiliated(login) ? { isAffiliated: true } : {},
    permit: (login: string, permission: RepositoryPermission): void => void known.set(login, permission),
    /** Returns the permission; null stands for an account that took over a login. */
    of: (login: string | null): RepositoryPermission =>
      login === null ? "none" : (known.get(login) ?? "read"),
  };
}
