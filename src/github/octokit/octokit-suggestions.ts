import { z } from "zod";
import { issueKey } from "../port.ts";
import type { GithubSuggestions, IssueSuggestion } from "../suggestion-port.ts";
import { getRequest, readPages } from "./listing.ts";
import { ISSUE, issueOf } from "./routes.ts";
import type { Wire, WireRequest } from "./wire.ts";
import { repositoryMoved, statusOf } from "./wire-errors.ts";
import { labelSchema } from "./wire-schemas.ts";

const suggestionSchema = z.object({
  id: z.int(),
  action: z.string(),
  state: z.enum(["pending", "applied", "approved", "dismissed", "replaced", "invalidated"]),
  target_value: z.unknown(),
  actor_id: z.int().nullable(),
  resolved_by: z.int().nullable(),
  updated_at: z.string(),
});

/**
 * Statuses that mean that there are no suggestions. A missing issue answers 404, too, and has no suggestions either. Requests are
 * not repeated when the preview fails (5xx), because the comment contains the same proposal.
 */
const WITHOUT = new Set([403, 404, 422]);

/** Returns the port for GitHub's suggestions on issues. Reads and proposals resolve with null if this GitHub has no suggestions. */
export function createOctokitSuggestions(wire: Wire): GithubSuggestions {
  return {
    list: async (ref, state, signal) => {
      const attempted = `list the suggestions of ${issueKey(ref)}`;
      const path = `${ISSUE}/suggestions`;
      const request = {
        ...getRequest(attempted, path, { ...issueOf(ref), state }, signal),
        isRepeatable: false,
      };
      try {
        const found = await readPages(
          wire,
          request,
          (answer) => wire.parse(request, answer, z.array(suggestionSchema)),
          (_, error) => {
            throw error ?? repositoryMoved(attempted, "");
          },
        );
        return found.map(toSuggestion);
      } catch (error) {
        if (WITHOUT.has(statusOf(error) ?? 0)) return null;
        throw error;
      }
    },

    suggestLabels: async (ref, labels, signal) => {
      const proposed = labels.map(({ name, rationale, confidence }) => ({
        name,
        rationale,
        suggest: true,
        ...(confidence === null ? {} : { confidence }),
      }));
      const request: WireRequest = {
        attempted: `suggest labels for ${issueKey(ref)}`,
        route: `POST ${ISSUE}/labels`,
        parameters: { ...issueOf(ref), labels: proposed },
        signal,
        isRepeatable: false,
      };
      try {
        const answer = await wire.send(request);
        return wire.parse(request, answer, z.array(labelSchema)).map(({ name }) => name);
      } catch (error) {
        if (WITHOUT.has(statusOf(error) ?? 0)) return null;
        throw error;
      }
    },

    dismiss: async (ref, id, signal) => {
      const request = {
        attempted: `dismiss suggestion ${id} of ${issueKey(ref)}`,
        route: `POST ${ISSUE}/suggestions/{suggestion_id}/dismiss`,
        parameters: { ...issueOf(ref), suggestion_id: id },
        signal,
        isRepeatable: false,
      };
      await wire.send(request).catch((error: unknown) => {
        if (statusOf(error) !== 404 && statusOf(error) !== 422) throw error;
      });
    },
  };
}

function toSuggestion(found: z.infer<typeof suggestionSchema>): IssueSuggestion {
  const { id, action, state, target_value: target, actor_id, resolved_by, updated_at } = found;
  return {
    id,
    action,
    state,
    target: typeof target === "string" ? target : null,
    actorId: actor_id,
    resolvedById: resolved_by,
    updatedAt: updated_at,
  };
}
