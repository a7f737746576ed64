import { http, HttpResponse, type JsonBodyType } from "msw";
import { expect, test } from "vitest";
import {
  API,
  comment,
  ISSUE,
  issue,
  makeGithub,
  ref,
  REPO,
  signal,
  useHttpGithub,
} from "../support/github/http-github.ts";

const server = useHttpGithub();

test("the page after a full page is read, even when GitHub answers that the full page has not changed (S14)", async () => {
  const { reader } = makeGithub();
  const page = (count: number, from: number): JsonBodyType =>
    Array.from({ length: count }, (_, at) => ({ ...comment, id: from + at }));
  let later = 0;
  server.use(
    http.get(`${API}${ISSUE}/comments`, ({ request }) => {
      const isFirst = new URL(request.url).searchParams.get("page") === "1";
      if (!isFirst) return HttpResponse.json(page(later, 101));
      if (request.headers.get("if-none-match") === '"same"') return new HttpResponse(null, { status: 304 });
      return HttpResponse.json(page(100, 1), { headers: { etag: '"same"' } });
    }),
  );
  expect(await reader.comments(ref, signal)).toHaveLength(100);
  later = 1;
  expect(await reader.comments(ref, signal)).toHaveLength(101);
});

/** Serves the open issues as GitHub does for a large repository: a page from the 100th on only by the cursor of the page before. */
function serveBacklog(count: number): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  const message = "Pagination with the page parameter is not supported for large datasets, please use cursor";
  server.use(
    http.get(`${API}/repos/octo/widgets/issues`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const page = Number(query.get("page"));
      if (page >= 100 && query.get("after") !== `cursor-${page}`)
        return HttpResponse.json({ message }, { status: 422 });
      const from = (page - 1) * 100;
      const json = Array.from({ length: Math.min(100, count - from) }, (_, at) => ({
        ...issue,
        number: from + at + 1,
      }));
      const next = `<${API}/repositories/1/issues?per_page=100&after=cursor-${page + 1}&page=${page + 1}>; rel="next"`;
      const headers = page * 100 < count ? { link: `<${API}/first>; rel="first", ${next}` } : {};
      return HttpResponse.json(json, { headers });
    }),
  );
  return asked;
}

test("a listing of 10,050 issues follows the cursor of each page, because GitHub refuses large page numbers (W1)", async () => {
  const asked = serveBacklog(10_050);
  const issues = await makeGithub().reader.listOpenIssues(REPO, null, signal);
  expect(issues.map(({ ref: { number } }) => number)).toEqual(
    Array.from({ length: 10_050 }, (_, at) => at + 1),
  );
  expect(asked).toHaveLength(101);
  expect(new Set(asked.map((query) => `${query.get("per_page")} ${query.get("state")}`))).toEqual(
    new Set(["100 open"]),
  );
});
