/** Two issues that may be, or are proven to be, of one cause. Which of both is canonical is decided by `clustersOf`. */
export interface DuplicateLink {
  readonly first: number;
  readonly second: number;
  readonly kind: "may-be" | "proven";
}

/** The facts that decide the choice of the canonical issue. */
export interface DuplicateFacts {
  readonly links: readonly DuplicateLink[];
  /** Numbers of issues whose reproduction the parent has seen work. */
  readonly evidenced: ReadonlySet<number>;
}

export interface DuplicateCluster {
  /** The one that the others point to: the oldest with a verified reproduction, else the oldest. */
  readonly canonical: number;
  /** The issues of one cause with it, by number. */
  readonly proven: readonly number[];
  /** Linked by what a Triage Agent chose, by number; nothing proves them. */
  readonly mayBe: readonly number[];
}

/**
 * D6: pure. Clusters of linked issues, by canonical number. Every issue is in one cluster and points to its canonical issue directly, so
 * that there are no cycles and no links to itself, in whatever order the links came.
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

/** D6: the issue that another one points to. null: it is canonical, or linked to none. */
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

/** A member of a proven group stands before one that only may belong; then the better evidenced; then the older. */
function rank(
  a: number,
  groups: ReadonlyMap<number, unknown>,
  evidenced: ReadonlySet<number>,
  b: number,
): number {
  const order = (has: (number: number) => boolean): number => Number(has(b)) - Number(has(a));
  return order((one) => groups.has(one)) || order((one) => evidenced.has(one)) || a - b;
}

/** Connected components. */
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
