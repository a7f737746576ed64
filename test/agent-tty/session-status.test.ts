import { canTransition } from "../../src/agent-tty/home/index.ts";
import { isDestroyed, type SessionStatus, STATUS_POLICY } from "agent-tty";
import { describe, expect, test } from "vitest";

const STATUSES = Object.keys(STATUS_POLICY) as SessionStatus[];

describe("Session Status", () => {
  test("the status policy table has exactly these values (A2, A3)", () => {
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

  test("the laws of the status policy hold for every status (A3)", () => {
    for (const status of STATUSES) {
      const policy = STATUS_POLICY[status];
      expect(policy.active).toBe(!policy.terminal);
      expect(policy.liveHostEligible).toBe(!policy.offlineReplayEligible);
      expect(policy.collectable && !policy.terminal).toBe(false);
      expect(policy.commandable && !policy.active).toBe(false);
    }
  });

  test("a Session never runs again after it has ended, and a destroyed one stays destroyed (A3)", () => {
    const check = (from: SessionStatus, allowed: string): void =>
      expect([from, STATUSES.filter((to) => canTransition(from, to)).join(" ")]).toEqual([from, allowed]);
    check("running", "exiting exited failed destroying");
    check("exiting", "exited failed destroying");
    check("exited", "destroying");
    check("failed", "destroying");
    check("destroying", "destroyed");
    check("destroyed", "");
  });

  test("isDestroyed is true for one status only; active and offline replay are independent (A4, A5)", () => {
    expect(STATUSES.filter(isDestroyed)).toEqual(["destroyed"]);
    expect(STATUS_POLICY.destroying).toMatchObject({ active: true, offlineReplayEligible: true });
  });
});
