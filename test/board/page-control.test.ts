import { describe, expect, test } from "vitest";
import {
  demoBoard,
  heroId,
  hasBrowser,
  pageTests,
  PATIENCE_MS,
  rowOf,
  runHash,
  waitingId,
  withoutBrowser,
} from "../support/board/index.ts";

describe.skipIf(!hasBrowser)(`control from the board's page${withoutBrowser}`, { timeout: 90_000 }, () => {
  const stageOf = pageTests();
  const patience = { timeout: PATIENCE_MS };

  test("a button answers the dialog for which a Triage Agent waits, and the answer is refused when the screen has changed (B9)", async () => {
    await using stage = await stageOf({ source: await demoBoard(), allowsControl: true });
    const { page, source } = stage;
    await stage.open(runHash(waitingId));
    const panel = page.getByRole("region", { name: "The Triage Agent asks" });
    await panel.getByText("Do you want to proceed?").waitFor();
    const rows = panel.getByRole("button");
    expect((await rows.allTextContents())[0]).toBe("Yes");
    source.answer = { type: "refused", reason: "screen-changed", remedy: "Look at what it asks now." };
    await rows.first().click();
    await panel.getByText("The screen has changed, so the answer was not sent.").waitFor();
    await panel.getByText("Look at what it asks now.").waitFor();
    source.answer = { type: "sent" };
    await rows.last().click();
    await panel.getByText("Sent.").waitFor();
    const asked = source.asked.map(({ how, text }) => [how, text]);
    expect(asked).toEqual([
      ["answer", "Yes"],
      ["answer", await rows.last().textContent()],
    ]);
    expect(stage.problems).toEqual([]);
  });

  test("a read-only board shows the dialog and how to answer it, without buttons (B9)", async () => {
    await using stage = await stageOf();
    await stage.open(runHash(waitingId));
    const panel = stage.page.getByRole("region", { name: "The Triage Agent asks" });
    await panel.getByText("serve --allow-control").waitFor();
    expect(await panel.getByRole("button").count()).toBe(0);
  });

  test("the page notifies the reader of a waiting run only after the reader has turned notifications on (B9)", async () => {
    const source = await demoBoard();
    await using stage = await stageOf({ source });
    const { page } = stage;
    // Headless Chromium denies notifications to every page.
    await using _fake = await page.addInitScript(`
      window.shownNotifications = [];
      window.Notification = class extends EventTarget {
        static permission = "default";
        static async requestPermission() { this.permission = "granted"; return "granted"; }
        constructor(title, options) { super(); window.shownNotifications.push([title, options.tag]); }
        close() {}
      };
      document.hasFocus = () => false;
    `);
    await stage.open("#/");
    const id = "20261121T053000Z:acme~widgets:153";
    const shown = (): Promise<unknown> => page.evaluate("window.shownNotifications");
    source.change(id, { displayStatus: "needs_input" });
    await rowOf(page, 153).getByText("waits for you").waitFor();
    expect(await shown()).toEqual([]);
    source.change(id, { displayStatus: "working" });
    await rowOf(page, 153).getByText("working").waitFor();
    await page.getByRole("button", { name: /^Notify me/ }).click();
    await page.getByRole("button", { name: /^Notify me.*: on$/ }).waitFor();
    source.change(id, { displayStatus: "needs_input" });
    await expect.poll(shown, patience).toEqual([["acme/widgets #153 waits for you", id]]);
    expect(stage.problems).toEqual([]);
  });

  test("a read-only board shows no controls (S17)", async () => {
    await using stage = await stageOf();
    await stage.open(runHash(waitingId));
    await stage.page.getByText("Tracked state").first().waitFor();
    await stage.open(runHash(heroId));
    await stage.page.getByText("Tracked state").first().waitFor();
    expect(await stage.page.getByRole("button", { name: "Verify again" }).count()).toBe(0);
    await stage.open(runHash(waitingId));
    await stage.page.getByText("Tracked state").first().waitFor();
    expect(await stage.page.getByRole("button", { name: "Kill" }).count()).toBe(0);
    expect(await stage.page.getByLabel("Send to the Triage Agent").count()).toBe(0);
  });

  test("a settled run is verified or run again after a confirmation, and the command's output is shown (B10)", async () => {
    await using stage = await stageOf({ source: await demoBoard(), allowsControl: true });
    const { page, source } = stage;
    source.answer = { type: "started" };
    await stage.open(runHash(heroId));
    const panel = page.getByRole("region", { name: "Again", exact: true });
    await panel.getByRole("button", { name: "Run again …" }).click();
    await page.getByRole("dialog").getByText("It costs as much as any other run").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Leave it" }).click();
    const started = { command: "verify" as const, startedAtMs: 1, lines: ["#142  fixed (0/2)  a bug"] };
    source.followUpList = [{ ...started, end: null }];
    await panel.getByRole("button", { name: "Verify again …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Verify it" }).click();
    await panel.getByText("running").waitFor();
    expect(await panel.getByRole("button", { name: "Run again …" }).isDisabled()).toBe(true);
    source.followUpList = [{ ...started, end: { atMs: 2_000, exitCode: 0 } }];
    await panel.getByText("done").waitFor();
    await panel.getByText("#142  fixed (0/2)  a bug").waitFor();
    await panel.getByRole("button", { name: "Run again …" }).click();
    source.answer = { type: "refused", reason: "A command is still running.", remedy: "Wait for its end." };
    await page.getByRole("dialog").getByRole("button", { name: "Run it" }).click();
    await panel.getByText("A command is still running.").waitFor();
    expect(source.asked.map(({ id, how }) => [id, how])).toEqual([
      [heroId, "verify"],
      [heroId, "run"],
    ]);
    expect(stage.problems).toEqual([]);
  });

  test("a refused send shows its reason and remedy, and kill and stop ask for confirmation (H39)", async () => {
    await using stage = await stageOf({ source: await demoBoard(), allowsControl: true });
    const { page, source } = stage;
    source.answer = { type: "refused", reason: "a dialog is open", remedy: "Answer it first: attach 151." };
    await stage.open(runHash(waitingId));
    const field = page.getByLabel("Send to the Triage Agent");
    await field.fill("go on");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("a dialog is open").waitFor();
    await page.getByText("Answer it first: attach 151.").waitFor();
    // A refused text stays in the field.
    expect(await field.inputValue()).toBe("go on");
    source.answer = { type: "stopping" };
    await page.getByRole("button", { name: "Kill …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave it" }).click();
    await page.getByRole("button", { name: "Kill …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Kill it" }).click();
    await page.getByText("The run is ending.").waitFor();
    await page.getByRole("button", { name: "Stop …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop it" }).click();
    const asked = (): unknown => source.asked.map(({ how, text }) => [how, text]);
    await expect.poll(asked, patience).toEqual([
      ["send", "go on"],
      ["kill", null],
      ["stop", null],
    ]);
    expect(stage.problems).toEqual([]);
  });
});
