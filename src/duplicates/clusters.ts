/**
 * A link between two issues that may have, or are proven to have, one cause. `clustersOf` decides which of the two is canonical.
 */
export interface DuplicateLink {
  readonly first: number;
  readonly second: number;
  readonly kind: "may-be" | "proven";
}

/** The facts that decide the choice of the canonical issue. */
export interface DuplicateFacts {
  readonly links: readonly DuplicateLink[];
  /** Numbers of issues whose reproduction the parent has verified. */
  readonly evidenced: ReadonlySet<number>;
}

export interface DuplicateCluster {
  /**
   * The number of the issue to which the others point: the oldest with a verified reproduction, otherwise the oldest. Members of
   * a proven group take precedence.
   */
  readonly canonical: number;
  /** The issues that are proven to have the same cause, by number. */
  readonly proven: readonly number[];
  /** The issues that only a Triage Agent's choice links, by number; nothing proves these links. */
  readonly mayBe: readonly number[];
}

/**
 * Returns the clusters of linked issues, ordered by canonical number (D6). Every linked issue is in exactly one cluster and
 * points directly to its canonical issue, so there are no cycles and no links to itself, whatever the order of the links. Pure.
 */
export function clustersOf({ links, evidenced }: DuplicateFacts): DuplicateCluster[] {
  const real = links.filter(({ first, second }) => first !== second);
  const all = groupsOf(real);
  const proven = groupsOf(real.filter(({ kind }) => kind === "proven"));
  const groupOf = new Map(proven.flatMap((group) => group.map((number) => [number, group] as const)));
  return all
    .map((group): DuplicateCluster => {
      const [best = 0] = group.toSorted((a, b) => rank(a, groupOf, evidenced, b));
      const same = new Set(groupOf.get(best) ?? [best]);
      const members = group.filter((number) => number !== best).toSorted((a, b) => a - b);
      return {
        canonical: best,
        proven: members.filter((number) => same.has(number)),
        mayBe: members.filter((number) => !same.has(number)),
      };
    })
    .toSorted((a, b) => a.canonical - b.canonical);
}

/** Returns the canonical issue to which an issue points (D6). null: the issue is canonical itself, or not linked. */
export function duplicateOf(
  clusters: readonly DuplicateCluster[],
  number: number,
): { canonical: number; kind: DuplicateLink["kind"] } | null {
  for (const { canonical, proven, mayBe } of clusters) {
    if (proven.includes(number)) return { canonical, kind: "proven" };
    if (mayBe.includes(number)) return { canonical, kind: "may-be" };
  }
  return null;
}

/**
 * Orders two issues of a cluster: a member of a proven group comes first, then an issue with a verified reproduction, then the
 * older one.
 */
function rank(
  a: number,
  groups: ReadonlyMap<number, unknown>,
  evidenced: ReadonlySet<number>,
  b: number,
): number {
  const order = (has: (number: number) => boolean): number => Number(has(b)) - Number(has(a));
  return order((one) => groups.has(one)) || order((one) => evidenced.has(one)) || a - b;
}

/** Returns the connected components of the links. */
function groupsOf(links: readonly DuplicateLink[]): number[][] {
  const parents = new Map<number, number>();
  const root = (number: number): number => {
    let at = number;
    for (let up = parents.get(at); up !== undefined; up = parents.get(at)) at = up;
    return at;
  };
  for (const { first, second } of links) {
    const [older, newer] = [root(first), root(second)].toSorted((a, b) => a - b);
    if (older !== undefined && newer !== undefined && older !== newer) parents.set(newer, older);
  }
  const groups = new Map<number, number[]>();
  for (const number of new Set(links.flatMap(({ first, second }) => [first, second]))) {
    const of = root(number);
    groups.set(of, [...(groups.get(of) ?? []), number]);
  }
  return [...groups.values()];
}
