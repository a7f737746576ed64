import { OperationalError } from "agent-tty/kit";
import { describe, expect, test } from "vitest";
import { auditLogPath, createAuditLog } from "../../../src/triage/index.ts";
import type { Store } from "../../../src/store/index.ts";
import { decidedFact } from "../../trust/decided-fact.ts";
import { before, closing, never, openIssue, publish, RUN, shown, undo, type World } from "./undo-world.ts";

const WRITES: ReadonlySet<string> = new Set([
  "publishComment",
  "addLabels",
  "removeLabel",
  "closeIssue",
  "reopenIssue",
  "deleteComment",
]);

/** Makes the nth following write throw, before or after GitHub has done it. */
function killAtWrite(world: World, nth: number, phase: "before" | "after"): void {
  let writes = 0;
  world.github.intercept = async ({ operation }, now) => {
    if (now === "before") await world.clock.advance(1_000);
    if (!WRITES.has(operation)) return;
    if (now === "before") writes += 1;
    if (writes === nth && now === phase) throw new Error("killed");
  };
}

describe("undo (T10)", () => {
  test("says that an issue is not in the batch, so that a mistyped number does not look like an undone issue", async () => {
    await using world = await openIssue();
    await publish(world, closing);
    await expect(undo(world, false, undefined, [99])).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    expect(await undo(world, true, undefined, [world.ref.number])).toMatchObject({ status: "planned" });
  });

  test("reverts comment, labels and close, and reports it once", async () => {
    await using world = await openIssue();
    await publish(world, closing);
    expect(await shown(world)).toEqual({ labels: ["bug", "p1", "wontfix"], state: "closed", comments: 1 });
    expect(await undo(world, true)).toMatchObject({ status: "planned" });
    expect((await shown(world)).comments).toBe(1);
    expect(await undo(world)).toMatchObject({
      status: "undone",
      steps: [
        { type: "delete-comment" },
        { type: "reopen" },
        { type: "add-label", label: "needs-triage" },
        { type: "add-label", label: "enhancement" },
        { type: "remove-label" },
        { type: "remove-label" },
      ],
    });
    expect(await shown(world)).toEqual(before);
    expect(await undo(world)).toMatchObject({ status: "nothing-to-undo" });
  });

  test("reverts labels whose case in the repository differs from the configuration (T10)", async () => {
    await using world = await openIssue(["Needs-Triage", "Enhancement", "p1"]);
    await publish(world, closing);
    // GitHub adds the label in the repository's spelling: `Wontfix` for `wontfix`.
    await world.github.unlabel(world.ref, world.github.viewerLogin, "wontfix");
    await world.github.label(world.ref, world.github.viewerLogin, "Wontfix");
    expect(await shown(world)).toEqual({ labels: ["Wontfix", "bug", "p1"], state: "closed", comments: 1 });
    expect(await undo(world)).toMatchObject({ status: "undone" });
    expect(await shown(world)).toEqual({
      labels: ["Enhancement", "Needs-Triage", "p1"],
      state: "open",
      comments: 0,
    });
  });

  test("reverts any part of a publication that was written before a crash", async () => {
    for (const phase of ["before", "after"] as const)
      for (let nth = 1; nth <= 6; nth += 1) {
        await using world = await openIssue();
        killAtWrite(world, nth, phase);
        await publish(world, closing).catch(() => undefined);
        killAtWrite(world, Number.POSITIVE_INFINITY, phase);
        await undo(world);
        expect({ nth, phase, ...(await shown(world)) }).toEqual({ nth, phase, ...before });
      }
  });

  test("is completed by the next undo after a kill between any two of its writes", async () => {
    for (const phase of ["before", "after"] as const)
      for (let nth = 1; nth <= 6; nth += 1) {
        await using world = await openIssue();
        await publish(world, closing);
        killAtWrite(world, nth, phase);
        expect(await undo(world)).toMatchObject({ status: "failed" });
        killAtWrite(world, Number.POSITIVE_INFINITY, phase);
        await undo(world);
        expect({ nth, phase, ...(await shown(world)) }).toEqual({ nth, phase, ...before });
      }
  });

  test("leaves an issue unchanged that has changed since, and says why", async () => {
    const check = async (
      change: (world: World) => Promise<unknown>,
      reason: string | null,
    ): Promise<void> => {
      await using world = await openIssue();
      await publish(world, closing);
      await change(world);
      const changed = await shown(world);
      expect(await undo(world)).toMatchObject({ status: reason === null ? "undone" : "skipped", reason });
      if (reason !== null) expect(await shown(world)).toEqual(changed);
    };
    await check(async () => {}, null);
    await check(({ github, ref }) => github.comment(ref, "reporter", "but why?"), "commented-since");
    await check(({ github, ref }) => github.comment(ref, "ci[bot]", "stale"), null);
    await check(({ github, ref }) => github.label(ref, "maintainer", "p2"), "labels-changed");
    await check(({ github, ref }) => github.unlabel(ref, "maintainer", "wontfix"), "labels-changed");
    await check(async ({ github, ref }) => {
      await github.unlabel(ref, "maintainer", "p1");
      await github.label(ref, "maintainer", "p2");
    }, "labels-changed");
    await check(({ github, ref }) => github.setState(ref, "maintainer", "open"), "reopened-since");
    // A person's own close, as completed.
    await check(async ({ github, ref }) => {
      await github.setState(ref, "maintainer", "open");
      await github.setState(ref, "maintainer", "closed");
    }, "closed-since");
    await check(async ({ github, ref }) => {
      const [ours] = await github.reader.comments(ref, never);
      if (ours !== undefined) await github.editComment(ref, "maintainer", ours.id, `${ours.body}\nedited`);
    }, "comment-edited");
    const deleteOurs = async ({ github, ref }: World): Promise<void> => {
      const [ours] = await github.reader.comments(ref, never);
      await github.writer.deleteComment(ref, ours?.id ?? 0, never);
    };
    await check(deleteOurs, "comment-deleted");
    await check(async (world) => {
      await deleteOurs(world);
      await world.github.comment(world.ref, "maintainer", "Closed, because …");
    }, "commented-since");
    await check((world) => publish(world, closing, "20260501T141500Z"), "triaged-since");
    // A machine whose clock is a day behind names its batch as if it had run before.
    await check((world) => publish(world, closing, "20260429T141500Z"), "triaged-since");
    // A comment that was written by hand with our own account.
    await check(({ github, ref }) => github.comment(ref, github.viewerLogin, "by hand"), "commented-since");
  });

  test("reverts as another account what an App's batch wrote, and sees the App's later comments", async () => {
    const asPerson = (world: World): World => {
      const { reader } = world.github;
      const viewer = () => Promise.resolve({ id: 4_242, login: "operator", isBot: false });
      return { ...world, github: { ...world.github, reader: { ...reader, viewer } } };
    };
    await using world = await openIssue();
    await publish(world, closing);
    expect(await undo(asPerson(world))).toMatchObject({ status: "undone" });
    expect(await shown(world)).toEqual(before);
    await using later = await openIssue();
    await publish(later, closing);
    await publish(later, closing, "20260501T141500Z");
    expect(await undo(asPerson(later))).toMatchObject({ status: "skipped", reason: "triaged-since" });
  });

  test("keeps a person's change between an interrupted undo and the next one", async () => {
    const check = async (
      change: (world: World) => Promise<unknown>,
      expected: { status: string; reason: string | null },
    ): Promise<void> => {
      await using world = await openIssue();
      await publish(world, closing);
      killAtWrite(world, 4, "after");
      await undo(world);
      killAtWrite(world, Number.POSITIVE_INFINITY, "after");
      await change(world);
      expect(await undo(world)).toMatchObject(expected);
    };
    const refused = { status: "skipped", reason: "labels-changed" };
    await check(async () => {}, { status: "undone", reason: null });
    await check(({ github, ref }) => github.label(ref, "maintainer", "p2"), refused);
    await check(({ github, ref }) => github.unlabel(ref, "maintainer", "p1"), refused);
    const commented = { status: "skipped", reason: "commented-since" };
    await check(({ github, ref }) => github.comment(ref, "maintainer", "but why?"), commented);
  });

  test.each([
    ["before", "removeLabel", "undone", null],
    ["after", "removeLabel", "undone", null],
    ["before", "addLabels", "skipped", "labels-changed"],
  ] as const)(
    "looks at the issue again when GitHub was away %s it took %s, so that it is %s",
    async (phase, operation, status, reason) => {
      await using world = await openIssue();
      const { github, ref } = world;
      await publish(world, closing);
      let isAway = true;
      github.intercept = (call, now) => {
        if (!isAway || call.operation !== operation || now !== phase) return;
        isAway = false;
        throw new OperationalError({
          code: "GITHUB_UNREACHABLE",
          message: "it answered 502",
          remedy: "wait",
        });
      };
      const sleep = async (): Promise<void> => {
        if (reason !== null) await github.label(ref, "maintainer", "p2");
      };
      const waiting = { ...world, clock: { ...world.clock, sleep } };
      expect(await undo(waiting)).toMatchObject({ status, reason });
      if (reason === null) expect(await shown(world)).toEqual(before);
    },
  );

  test("deletes only the batch's own comment, not our comments of other runs or a copy of it by another author", async () => {
    await using world = await openIssue();
    const { github, ref } = world;
    await publish(world, closing, "20260401T141500Z");
    await github.setState(ref, "maintainer", "open");
    const [earlier] = await github.reader.comments(ref, never);
    await github.comment(ref, "reporter", earlier?.body.replace("20260401", "20260430") ?? "");
    await publish(world, closing);
    expect(await undo(world)).toMatchObject({ status: "undone" });
    const left = await github.reader.comments(ref, never);
    expect(left.map(({ author, body }) => [author?.login, body.includes("run=20260401")])).toEqual([
      [github.viewerLogin, true],
      ["reporter", false],
    ]);
  });

  test("skips an issue that is gone, and rejects a batch without an audit log", async () => {
    await using world = await openIssue();
    await expect(undo(world)).rejects.toMatchObject({ code: "AUDIT_LOG_MISSING" });
    await publish(world, closing);
    world.github.remove(world.ref, "transferred");
    expect(await undo(world)).toMatchObject({ status: "skipped", reason: "issue-transferred" });
  });

  test.each([
    ["the newest outcome until then", "wontfix", "20260401T141500Z"],
    ["no outcome when it reverts a sweep", "swept", RUN],
  ])("counts against %s (E3)", async (_, outcome, expected) => {
    await using world = await openIssue(["p1", "p2"]);
    const { ref } = world;
    const log = createAuditLog(auditLogPath(world.runsDirectory, RUN), world.clock);
    await log.append("publish", ref, {
      type: "decided",
      outcome,
      category: null,
      policy: [],
      labels: ["p1"],
    });
    await log.append("publish", ref, { type: "done", write: { type: "add-label", label: "p2" } });
    const runs = ["20260301T141500Z", "20260401T141500Z", "20260501T141500Z"];
    const known = runs.map((runId) => decidedFact(ref.number, {}, { repo: ref.repo, runId }));
    const recorded: unknown[] = [];
    const recordTrustFact: Store["recordTrustFact"] = (fact) => recorded.push(fact) > 0;
    const undone = await undo(world, false, {
      recordTrustFact,
      trustFacts: () => known,
      runsOfBatch: () => [],
    });
    expect(undone).toMatchObject({ status: "undone" });
    expect(recorded).toMatchObject([
      { type: "overridden", runId: expected, key: expect.stringContaining(RUN) },
    ]);
  });
});
