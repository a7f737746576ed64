import { canTransition } from "../../src/agent-tty/home/index.ts";
import { isDestroyed, type SessionStatus, STATUS_POLICY } from "agent-tty";
import { describe, expect, test } from "vitest";

const STATUSES = Object.keys(STATUS_POLICY) as SessionStatus[];

describe("Session Status", () => {
  test("the status policy table keeps its laws (A2, A3)", () => {
    const check = (status: SessionStatus, bits: string): void =>
      expect([status, Object.values(STATUS_POLICY[status]).map(Number).join("")]).toEqual([status, bits]);
    check("running", "111000");
    check("exiting", "101000");
    check("exited", "000111");
    check("failed", "000111");
    check("destroying", "100100");
    check("destroyed", "000111");
    expect(STATUSES).toHaveLength(6);
  });

  test("its laws hold for every status (A3)", () => {
    for (const status of STATUSES) {
      const policy = STATUS_POLICY[status];
      expect(policy.active).toBe(!policy.terminal);
      expect(policy.liveHostEligible).toBe(!policy.offlineReplayEligible);
      expect(policy.collectable && !policy.terminal).toBe(false);
      expect(policy.commandable && !policy.active).toBe(false);
    }
  });

  test("a Session only goes forward: nothing that has ended runs again, and what is destroyed stays so (A3)", () => {
    const check = (from: SessionStatus, allowed: string): void =>
      expect([from, STATUSES.filter((to) => canTransition(from, to)).join(" ")]).toEqual([from, allowed]);
    check("running", "exiting exited failed destroying");
    check("exiting", "exited failed destroying");
    check("exited", "destroying");
    check("failed", "destroying");
    check("destroying", "destroyed");
    check("destroyed", "");
  });

  test("the destroyed check is for one value; active and offline replay are independent (A4, A5)", () => {
    expect(STATUSES.filter(isDestroyed)).toEqual(["destroyed"]);
    expect(STATUS_POLICY.destroying).toMatchObject({ active: true, offlineReplayEligible: true });
  });
});
