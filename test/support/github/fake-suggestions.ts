import type { GithubSuggestions, IssueSuggestion } from "../../../src/github/index.ts";

/** How a repository treats suggestions: `off` has none, `silent` accepts and drops them, `failing` answers no request. */
export type SuggestionMode = "on" | "off" | "silent" | "failing";

/** Creates suggestions in memory. A repeated suggestion replaces the earlier one, as GitHub documents. */
export function createFakeSuggestions(actorId: () => Promise<number>, mode: SuggestionMode = "on") {
  const all: IssueSuggestion[] = [];
  const calls: string[] = [];
  const state = { mode };
  const answered = (id: number, as: "approved" | "dismissed", byId: number, updatedAt: string): void => {
    const found = all.find((one) => one.id === id && one.state === "pending");
    if (found !== undefined) Object.assign(found, { state: as, resolvedById: byId, updatedAt });
  };
  const port: GithubSuggestions = {
    list: async (_, wanted) => {
      calls.push("list");
      if (state.mode === "failing") throw new Error("GitHub does not answer");
      if (state.mode === "off") return null;
      return all
        .filter((one) => wanted === "all" || one.state === "pending")
        .map((one) => structuredClone(one));
    },
    suggestLabels: async (_, labels) => {
      calls.push("suggest");
      if (state.mode !== "on") return [];
      const by = await actorId();
      for (const { name } of labels) {
        for (const one of all)
          if (one.state === "pending" && one.target === name && one.actorId === by) one.state = "replaced";
        all.push({
          id: all.length + 1,
          action: "add_label",
          state: "pending",
          target: name,
          actorId: by,
          resolvedById: null,
          updatedAt: new Date(0).toISOString(),
        });
      }
      return [];
    },
    dismiss: async (_, id) => {
      calls.push("dismiss");
      answered(id, "dismissed", await actorId(), new Date(0).toISOString());
    },
  };
  return { port, all, calls, state, answered };
}
