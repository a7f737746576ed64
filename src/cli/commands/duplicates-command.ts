import { countOf, OperationalError, systemClock, systemIds } from "agent-tty/kit";
import { defaultRunFlags, readConfig, readEnvironment, resolveSettings } from "../../config/index.ts";
import {
  type DuplicateCandidate,
  duplicateOf,
  feedIndex,
  type FeedResult,
  type IssueIndex,
  offerForIndexed,
  presentCandidates,
  reportedClusters,
  type ReportedCluster,
  SPARE_CANDIDATES,
} from "../../duplicates/index.ts";
import { mayReportVulnerability } from "../../triage/index.ts";
import { type GithubReader, plainText, type RepositoryName, shownText } from "../../github/index.ts";
import { existingStorePath, openProgramHome } from "../../home/index.ts";
import { type CliErrorCode, exitCodes } from "../exit-codes.ts";
import { type Output, proseLines } from "../output/index.ts";
import { stopOnSignals, untilSignalled } from "../stop-on-signals.ts";
import { connectGithub, githubCredential } from "../wiring/index.ts";

export interface DuplicatesRequest {
  /** null selects the clusters of the repository. */
  issue: number | null;
  repo: readonly RepositoryName[];
  isUpdate: boolean;
  requests?: number;
  limit: number;
  config?: string;
  home?: string;
}

/** `afk-triage duplicates`: reads the home, and GitHub only with `--update`. Returns 1 when the issue is not indexed. */
export async function duplicatesCommand(request: DuplicatesRequest, output: Output): Promise<number> {
  using signals = stopOnSignals(output);
  return await untilSignalled(signals, output, async () => {
    const environment = readEnvironment(process.env);
    const config = await readConfig(request.config ?? null, environment);
    const flags = { ...defaultRunFlags, repo: request.repo, home: request.home };
    const settings = resolveSettings(flags, environment, config);
    const [repo] = settings.batch.repos;
    if (repo === undefined) throw new Error("settings without a repository");
    // A query must not create a home.
    if (!request.isUpdate && existingStorePath(settings.home) === null) throw notIndexed(request.issue, repo);
    using home = await openProgramHome(settings.home, { clock: systemClock, ids: systemIds(systemClock) });
    const index = await home.duplicates.of(repo);
    const maxRequests = request.requests ?? settings.batch.duplicates.requests;
    const limits = { maxRequests, isWithheld: mayReportVulnerability, signal: signals.stop };
    const reader = request.isUpdate
      ? (await connectGithub(environment, githubCredential(environment, repo), home)).reader
      : null;
    const fed = reader === null ? null : await feedIndex(index, repo, reader, limits);
    const candidates = await candidatesOf(request, repo, { index, fed, reader, signal: signals.stop });
    const clusters = reportedClusters(home.store.duplicateLinks(repo));
    show(request, repo, { index, fed, candidates, clusters }, output);
    return signals.exitCode() ?? exitCodes.done;
  });
}

interface CandidateSources {
  index: IssueIndex;
  fed: FeedResult | null;
  /** null: no request is made to GitHub. */
  reader: Pick<GithubReader, "issue"> | null;
  signal: AbortSignal;
}

/**
 * Returns the candidates of the issue. Rejects with ISSUE_NOT_INDEXED. With a `reader`, issues that have since been deleted or
 * moved are omitted and removed from the index.
 */
async function candidatesOf(
  { issue, limit }: DuplicatesRequest,
  repo: RepositoryName,
  { index, fed, reader, signal }: CandidateSources,
): Promise<DuplicateCandidate[]> {
  if (issue === null) return [];
  const likely = offerForIndexed(index, issue, limit + (reader === null ? 0 : SPARE_CANDIDATES));
  if (likely === null)
    throw fed?.type === "up-to-date" ? notAmong(issue, repo, index) : notIndexed(issue, repo);
  return reader === null ? likely : presentCandidates(likely, { index, repo, reader, limit, signal });
}

interface Known {
  index: IssueIndex;
  fed: FeedResult | null;
  candidates: readonly DuplicateCandidate[];
  clusters: readonly ReportedCluster[];
}

function show(
  { issue }: DuplicatesRequest,
  repo: RepositoryName,
  { index, fed, candidates, clusters }: Known,
  output: Output,
): void {
  const known = issue === null ? null : duplicateOf(clusters, issue);
  const state = { issues: index.size(), upTo: index.cursor(), fed };
  output.answer([
    ...(fed?.type === "more" ? ["The index is not up to date yet: run the same command again."] : []),
    ...(issue === null
      ? clusterLines(clusters)
      : [
          shownText(`#${issue} ${index.find(issue)?.title ?? ""}`),
          ...(known === null ? [] : [linkLine(known)]),
          ...candidateLines(candidates),
        ]),
    ...proseLines(
      state.upTo === null
        ? `No issue of ${repo} is indexed yet. ${howToIndex(repo)}`
        : `${state.issues} issues of ${repo} are indexed, updated up to ${state.upTo}.`,
      output,
    ),
  ]);
  output.document({
    schema: "afk-triage/duplicates@1",
    repo,
    index: state,
    issue,
    candidates,
    duplicateOf: known,
    clusters: clusters.map(({ titles, ...cluster }) => ({ ...cluster, titles: Object.fromEntries(titles) })),
  });
}

function linkLine({ canonical, kind }: NonNullable<ReturnType<typeof duplicateOf>>): string {
  return kind === "proven"
    ? `  is a duplicate of #${canonical}: behaviour shows one cause`
    : `  may be the same as #${canonical}: a Triage Agent chose it`;
}

function candidateLines(candidates: readonly DuplicateCandidate[]): string[] {
  if (candidates.length === 0) return ["No earlier issue is similar."];
  const numbers = Math.max(...candidates.map(({ number }) => `#${number}`.length));
  const states = Math.max(...candidates.map(({ state }) => state.length));
  return [
    "Possible duplicates, most likely first:",
    ...candidates.flatMap(({ number, state, title, why }) => [
      shownText(`  ${`#${number}`.padEnd(numbers)}  ${state.padEnd(states)}  ${title}`),
      ...reasonLine("shared words", why.words),
      ...reasonLine("shared stack frames", why.frames),
      ...reasonLine("shared error text", why.errors),
    ]),
  ];
}

function reasonLine(name: string, shared: readonly string[]): string[] {
  return shared.length === 0 ? [] : [plainText(`      ${name}: ${shared.join(", ")}`)];
}

function clusterLines(clusters: readonly ReportedCluster[]): string[] {
  if (clusters.length === 0) return ["No issue is linked to another one yet."];
  return clusters.flatMap(({ canonical, proven, mayBe, reporters, titles }) => {
    const line = (number: number, kind: string): string =>
      shownText(`  #${number}  ${kind}  ${titles.get(number) ?? ""}`);
    return [
      shownText(`#${canonical}  ${titles.get(canonical) ?? ""}  (${countOf(reporters, "reporter")})`),
      ...proven.map((number) => line(number, "is a duplicate")),
      ...mayBe.map((number) => line(number, "may be the same")),
    ];
  });
}

function notIndexed(issue: number | null, repo: RepositoryName): OperationalError<CliErrorCode> {
  return new OperationalError<CliErrorCode>({
    code: "ISSUE_NOT_INDEXED",
    message: `show the duplicates of ${issue === null ? repo : `${repo}#${issue}`}: this home has no index of it`,
    remedy: howToIndex(repo),
  });
}

/** Returns the error for an issue that is missing from an index that is up to date, so that indexing again would not help. */
function notAmong(issue: number, repo: RepositoryName, index: IssueIndex): OperationalError<CliErrorCode> {
  return new OperationalError<CliErrorCode>({
    code: "ISSUE_NOT_INDEXED",
    message: `show the duplicates of ${repo}#${issue}: it is not among the ${countOf(index.size(), "issue")} of the index, which is up to date`,
    remedy:
      "Check the number. Pull requests, deleted issues and likely vulnerability reports are not indexed.",
  });
}

function howToIndex(repo: RepositoryName): string {
  return `Run \`afk-triage duplicates --update --repo ${repo}\`, which reads the repository's issues.`;
}
