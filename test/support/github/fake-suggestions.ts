import type { GithubSuggestions, IssueSuggestion } from "../../../src/github/index.ts";

/** How a repository answers: `off` has no suggestions, `silent` takes them and drops them, `failing` answers nothing. */
export type SuggestionMode = "on" | "off" | "silent" | "failing";

/** GitHub's suggestions in memory. A repeated one replaces the one before, as GitHub documents it. */
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
