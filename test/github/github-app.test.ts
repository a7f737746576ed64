import { generateKeyPairSync, verify } from "node:crypto";
import { systemClock } from "agent-tty/kit";
import { http, HttpResponse, type JsonBodyType } from "msw";
import { describe, expect, test } from "vitest";
import { createOctokitGithub, createOctokitSetup } from "../../src/github/index.ts";
import { poll } from "../support/batch/poll.ts";
import { API, comment, failureOf, issue, signal, useHttpGithub } from "../support/github/http-github.ts";

const server = useHttpGithub();
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const BOT = { id: 777, login: "afk-triage[bot]", type: "Bot" };

/** An App with one installation per account, each with its own token; all other requests are refused. */
function serveApp() {
  const asked: string[] = [];
  const minted: string[] = [];
  const installations: Record<string, number> = { octo: 1, acme: 2 };
  const asApp = (request: Request): boolean => isOurs(request.headers.get("authorization") ?? "");
  const withToken = (request: Request): string | null =>
    /^(?:token|bearer) (ghs_installation\d)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
  const answer = (request: Request, isAllowed: boolean, json: JsonBodyType): Response => {
    asked.push(`${request.method} ${new URL(request.url).pathname.replace("/api/v3", "")}`);
    return isAllowed ? HttpResponse.json(json) : HttpResponse.json({ message: "no" }, { status: 401 });
  };
  server.use(
    http.get(`${API}/app`, ({ request }) => answer(request, asApp(request), { slug: "afk-triage" })),
    http.get(`${API}/repos/:owner/:repo/installation`, ({ request, params }) => {
      const id = installations[String(params["owner"])];
      if (id === undefined) return HttpResponse.json({ message: "Not Found" }, { status: 404 });
      return answer(request, asApp(request), { id });
    }),
    http.post(`${API}/app/installations/:id/access_tokens`, ({ request, params }) => {
      const isInstalled = Object.values(installations).includes(Number(params["id"]));
      if (!isInstalled) return HttpResponse.json({ message: "Not Found" }, { status: 404 });
      const token = `ghs_installation${String(params["id"])}`;
      minted.push(token);
      return answer(request, asApp(request), {
        token,
        expires_at: new Date(systemClock.nowMs() + 3_600_000).toISOString(),
        permissions: {},
        repository_selection: "all",
      });
    }),
    http.get(`${API}/users/:login`, ({ request, params }) =>
      answer(request, withToken(request) !== null, { ...BOT, login: String(params["login"]) }),
    ),
    http.get(`${API}/repos/:owner/:repo/issues/:n/comments`, ({ request, params }) =>
      answer(
        request,
        withToken(request) === `ghs_installation${installations[String(params["owner"])] ?? 0}`,
        [],
      ),
    ),
    http.post(`${API}/repos/:owner/:repo/issues/:n/comments`, ({ request }) =>
      answer(request, withToken(request) !== null, comment),
    ),
  );
  return { asked, minted, installations };
}

/** Matches a JWT of App 7 that is signed by its key. */
function isOurs(authorization: string): boolean {
  const [header = "", payload = "", signature = ""] = authorization.replace(/^bearer /i, "").split(".");
  if (signature === "") return false;
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as { iss: string | number };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, "base64url"),
  );
  return isSigned && String(claims.iss) === "7";
}

function asApp(
  onCredential: (secret: string) => void = () => undefined,
  pacing: "github" | "none" = "none",
): ReturnType<typeof createOctokitGithub> {
  return createOctokitGithub({
    onCredential,
    apiUrl: API,
    credential: { type: "app", appId: "7", privateKey: KEY, repository: "octo/widgets" },
    userAgent: "test",
    clock: systemClock,
    pacing,
  });
}

describe("signed in as a GitHub App", () => {
  test("the viewer is the App's own account, with its id", async () => {
    serveApp();
    expect(await asApp().reader.viewer(signal)).toEqual({ id: 777, login: "afk-triage[bot]", isBot: true });
  });

  test("each account's installation answers for its repositories, with one token for many requests", async () => {
    const { minted } = serveApp();
    const { reader, writer, gitToken } = asApp();
    await reader.comments({ repo: "octo/widgets", number: 7 }, signal);
    await reader.comments({ repo: "octo/gadgets", number: 8 }, signal);
    await writer.publishComment({ repo: "octo/widgets", number: 7 }, "text", signal);
    await reader.comments({ repo: "acme/things", number: 9 }, signal);
    expect(minted).toEqual(["ghs_installation1", "ghs_installation2"]);
    expect(await gitToken("acme/things", signal)).toBe("ghs_installation2");
  });

  test("each installation keeps GitHub's pace for comments separately, so none waits for another (F3)", async () => {
    serveApp();
    const posted: string[] = [];
    server.use(
      http.post(`${API}/repos/:owner/:repo/issues/:n/comments`, ({ params }) => {
        posted.push(String(params["owner"]));
        return HttpResponse.json(comment);
      }),
    );
    const { reader, writer } = asApp(undefined, "github");
    for (const repo of ["octo/widgets", "acme/things"] as const)
      await reader.comments({ repo, number: 7 }, signal);
    const publish = (repo: "octo/widgets" | "acme/things") =>
      writer.publishComment({ repo, number: 7 }, "text", signal);
    const ofOcto = [publish("octo/widgets"), publish("octo/widgets")];
    await poll("the first comment", () => posted.length === 1);
    await publish("acme/things");
    await Promise.all(ofOcto);
    expect(posted).toEqual(["octo", "acme", "octo"]);
  }, 15_000);

  test("a missing installation is a typed error with a remedy, and the next request looks it up again", async () => {
    const { asked } = serveApp();
    const { reader } = asApp();
    const ref = { repo: "elsewhere/x", number: 1 } as const;
    for (let times = 0; times < 2; times += 1)
      expect(await failureOf(reader.comments(ref, signal))).toMatchObject({
        code: "GITHUB_APP_NOT_INSTALLED",
        message: expect.stringContaining("elsewhere/x") as string,
        remedy: expect.stringContaining("Install the App") as string,
      });
    server.use(http.get(`${API}/repos/elsewhere/x/installation`, () => HttpResponse.json({ id: 1 })));
    server.use(
      http.get(`${API}/repos/elsewhere/x/issues/1`, () => HttpResponse.json({ ...issue, number: 1 })),
    );
    expect(await reader.issue(ref, signal)).toMatchObject({ type: "found" });
    expect(asked.filter((line) => line.endsWith("/access_tokens"))).toHaveLength(1);
  });

  test("an App that was reinstalled continues with its new installation when the old token is refused (F1)", async () => {
    const { minted, installations } = serveApp();
    const { reader, gitToken } = asApp();
    await reader.comments({ repo: "octo/widgets", number: 7 }, signal);
    installations["octo"] = 3;
    expect(await reader.comments({ repo: "octo/widgets", number: 7 }, signal)).toEqual([]);
    expect(await gitToken("octo/widgets", signal)).toBe("ghs_installation3");
    expect(minted).toEqual(["ghs_installation1", "ghs_installation3"]);
  }, 15_000);

  test("an App that was installed again gets a token of its new installation, for requests and for git (F1)", async () => {
    const { minted, installations } = serveApp();
    installations["octo"] = 3;
    const lookUp = `${API}/repos/octo/widgets/installation`;
    const knowOldOne = (): void =>
      server.use(http.get(lookUp, () => HttpResponse.json({ id: 1 }), { once: true }));
    knowOldOne();
    expect(await asApp().reader.comments({ repo: "octo/widgets", number: 7 }, signal)).toEqual([]);
    knowOldOne();
    expect(await asApp().gitToken("octo/widgets", signal)).toBe("ghs_installation3");
    expect(minted).toEqual(["ghs_installation3", "ghs_installation3"]);
  });

  test("after the App is uninstalled, the error says so, rather than that a repository or an issue is missing (F1)", async () => {
    const { installations } = serveApp();
    const { reader } = asApp();
    server.use(
      http.get(
        `${API}/repos/octo/widgets/installation`,
        () => {
          delete installations["octo"];
          return HttpResponse.json({ id: 1 });
        },
        { once: true },
      ),
    );
    expect(await failureOf(reader.issue({ repo: "octo/widgets", number: 7 }, signal))).toMatchObject({
      code: "GITHUB_APP_NOT_INSTALLED",
    });
  });

  test("the error for a key that GitHub refuses names its variable and never shows the key (S18)", async () => {
    server.use(http.get(`${API}/app`, () => HttpResponse.json({ message: `bad ${KEY}` }, { status: 401 })));
    const failure = await failureOf(asApp().reader.viewer(signal));
    expect(failure).toMatchObject({
      code: "GITHUB_TOKEN_REJECTED",
      remedy: expect.stringContaining("AFK_TRIAGE_APP_ID") as string,
    });
    expect(JSON.stringify(failure) + String(failure)).not.toContain(KEY.slice(60, 120));
  });
});

test("every credential that a request uses is reported, including installation tokens and git credentials (S25)", async () => {
  serveApp();
  const heard = new Set<string>();
  const { reader, gitToken } = asApp((secret) => heard.add(secret));
  await reader.comments({ repo: "octo/widgets", number: 1 }, signal);
  expect(heard).toContain("ghs_installation1");
  await gitToken("acme/tools", signal);
  expect(heard).toContain("ghs_installation2");
});

test("an App lists its installations as itself, and the repositories of each as that installation (F1)", async () => {
  serveApp();
  const app = (path: string, json: JsonBodyType) =>
    http.get(`${API}${path}`, ({ request }) =>
      isOurs(request.headers.get("authorization") ?? "")
        ? HttpResponse.json(json, { headers: { date: "Fri, 02 Jan 2026 03:04:05 GMT" } })
        : HttpResponse.json({ message: "A JSON web token could not be decoded" }, { status: 401 }),
    );
  server.use(
    app("/app/installations", [
      { id: 1, suspended_at: null },
      { id: 2, suspended_at: "2026-01-01T00:00:00Z" },
    ]),
    http.get(`${API}/installation/repositories`, ({ request }) => {
      const isFirst = (request.headers.get("authorization") ?? "").endsWith("ghs_installation1");
      const repositories = [{ id: 10, full_name: "octo/widgets", archived: false }];
      return isFirst
        ? HttpResponse.json({ total_count: 1, repositories })
        : HttpResponse.json({ message: "suspended" }, { status: 403 });
    }),
  );
  const { installations } = createOctokitSetup({
    apiUrl: API,
    credential: { type: "app", appId: "7", privateKey: KEY, repository: null },
    userAgent: "test",
    clock: systemClock,
    pacing: "none",
  });
  expect(await installations.installations(signal)).toEqual({
    atMs: Date.parse("2026-01-02T03:04:05Z"),
    installations: [
      { id: 1, isSuspended: false },
      { id: 2, isSuspended: true },
    ],
  });
  expect(await installations.repositories(1, signal)).toEqual([
    { id: 10, name: "octo/widgets", isArchived: false },
  ]);
  await expect(installations.repositories(2, signal)).rejects.toMatchObject({ code: "GITHUB_FORBIDDEN" });
});
