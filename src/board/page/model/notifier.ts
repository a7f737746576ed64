import { signal } from "@preact/signals";
import type { RunRowDocument } from "../../api/index.ts";
import { remembered } from "../browser/index.ts";
import { label } from "./format.ts";
import { beginsToWait } from "./news.ts";
import { goTo } from "./route.ts";

type NotifierState = "unavailable" | "off" | "on" | "denied";

const choice = remembered("notifications");

/** Shows a browser notification when a run begins to wait for input, if the reader has switched it on (B9). */
export class Notifier {
  readonly state = signal(presentState());

  /** Turns notifications on or off; the first time, the browser asks the reader for consent. */
  async toggle(): Promise<void> {
    const isWanted = this.state.value !== "on";
    if (isWanted) await Notification.requestPermission();
    choice.write(isWanted ? "on" : "off");
    this.state.value = presentState();
  }

  /**
   * Shows a notification if the change makes the run wait for input, except while the page has the focus. The notification's tag is
   * the run's id, so several tabs show only one notification.
   */
  tell(before: RunRowDocument | undefined, now: RunRowDocument): void {
    if (this.state.value !== "on" || !beginsToWait(before, now) || document.hasFocus()) return;
    const shown = new Notification(`${now.repo} #${now.number} ${label(now.displayStatus)}`, {
      body: now.title ?? "",
      tag: now.id,
    });
    shown.addEventListener("click", () => {
      window.focus();
      goTo({ view: "run", id: now.id, tab: "terminal" });
      shown.close();
    });
  }
}

function presentState(): NotifierState {
  if (!("Notification" in window)) return "unavailable";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && choice.read() === "on" ? "on" : "off";
}
