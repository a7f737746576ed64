import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import { API, makeGithub, ref, serve, signal, useHttpGithub } from "../support/github/http-github.ts";

const server = useHttpGithub();
const SUGGESTIONS = "/repos/octo/widgets/issues/7/suggestions";

/** A suggestion in the form of GitHub's OpenAPI description. */
const wire = {
  id: 3,
  issue_id: 700,
  action: "add_label",
  state: "dismissed",
  target_id: 12,
  target_value: "needs-info",
  rationale: "because",
  confidence: "MEDIUM",
  actor_id: 5,
  issue_event_id: null,
  resolved_by: 9,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
};

test("suggestions are read as GitHub describes them (E4)", async () => {
  serve("get", SUGGESTIONS, { json: [wire, { ...wire, action: "set_type", target_value: ["a"] }] });
  expect(await makeGithub().suggestions.list(ref, "all", signal)).toEqual([
    {
      id: 3,
      action: "add_label",
      state: "dismissed",
      target: "needs-info",
      actorId: 5,
      resolvedById: 9,
      updatedAt: "2026-01-02T00:00:00Z",
    },
    expect.objectContaining({ action: "set_type", target: null }),
  ]);
});

test.each([403, 404, 422])("status %d means that this GitHub has no suggestions (E4)", async (status) => {
  serve("get", SUGGESTIONS, { status, json: { message: "no" } });
  expect(await makeGithub().suggestions.list(ref, "pending", signal)).toBeNull();
});

test("a failing GitHub is not mistaken for one without suggestions (E4)", async () => {
  serve("get", SUGGESTIONS, { status: 500, json: { message: "oops" } });
  await expect(makeGithub().suggestions.list(ref, "pending", signal)).rejects.toMatchObject({
    code: "GITHUB_UNREACHABLE",
  });
});

test("labels are sent as objects that request a suggestion, never as plain names (E4)", async () => {
  const bodies: unknown[] = [];
  server.use(
    http.post(`${API}/repos/octo/widgets/issues/7/labels`, async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json([]);
    }),
  );
  const labels = [
    { name: "bug", rationale: "why", confidence: "high" },
    { name: "needs-info", rationale: "why", confidence: null },
  ] as const;
  await makeGithub().suggestions.suggestLabels(ref, labels, signal);
  expect(bodies).toEqual([
    {
      labels: [
        { name: "bug", rationale: "why", suggest: true, confidence: "high" },
        { name: "needs-info", rationale: "why", suggest: true },
      ],
    },
  ]);
});

test.each([404, 422])(
  "dismissing a suggestion that GitHub refuses with %d counts as done (T10)",
  async (status) => {
    serve("post", `${SUGGESTIONS}/3/dismiss`, { status, json: { message: "gone" } });
    await expect(makeGithub().suggestions.dismiss(ref, 3, signal)).resolves.toBeUndefined();
  },
);
