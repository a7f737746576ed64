import { OperationalError } from "agent-tty/kit";
import { expect, test, vi } from "vitest";
import { openSweepStage, report } from "./sweep-stage.ts";

// The tests run real batches on a machine that may be busy.
vi.setConfig({ testTimeout: 400_000 });

const DAY_MS = 24 * 3_600_000;

test("a close that waits for GitHub is aborted when its last read is too old, and an objection in the meantime counts (W3, policy 8)", async () => {
  await using stage = await openSweepStage();
  const { github } = stage;
  const ref = await github.createIssue({ title: "first throws", body: report("1.1.0") });
  await stage.storeVerdict(ref.number);
  await stage.sweep({ closes: true });
  stage.advance(15 * DAY_MS);
  const said = (await stage.library.read(ref))?.said;
  const closeIssue = async (_ref: unknown, _reason: unknown, signal: AbortSignal): Promise<never> => {
    await github.react(ref, "stranger", "-1", said?.commentId ?? 0);
    stage.expire((durationMs) => durationMs === 60_000);
    signal.throwIfAborted();
    throw new Error("the close was sent after an outdated read");
  };
  const { issues } = await stage.sweep(
    { closes: true },
    { ports: { writer: { ...github.writer, closeIssue } } },
  );
  expect(issues).toMatchObject([{ status: "requeued", reason: "look-outdated" }]);
  expect((await stage.sweep({ closes: true })).issues).toMatchObject([
    { status: "applied", reason: "close-cancelled-by-reaction" },
  ]);
  expect(await stage.isOpen(ref.number)).toBe(true);
});

test("a close whose answer is lost is noted as done, and is not sent again (W3, T7)", async () => {
  await using stage = await openSweepStage();
  const { github } = stage;
  const ref = await github.createIssue({ title: "first throws", body: report("1.1.0") });
  await stage.storeVerdict(ref.number);
  await stage.sweep({ closes: true });
  stage.advance(15 * DAY_MS);
  github.intercept = ({ operation }, phase) => {
    if (operation !== "closeIssue" || phase !== "after") return;
    throw new OperationalError({ code: "GITHUB_UNREACHABLE", message: "it answered 502", remedy: "wait" });
  };
  const { issues } = await stage.sweep({ closes: true });
  expect(issues).toMatchObject([{ status: "applied", reason: "close-due" }]);
  expect(await stage.library.read(ref)).toMatchObject({ close: { type: "done" }, isOpen: false });
  expect(github.calls.filter(({ operation }) => operation === "closeIssue")).toHaveLength(1);
});
