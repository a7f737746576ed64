import type { ConsoleMessage, Dialog, Page, Request } from "playwright-core";

/**
 * Records violations until it is disposed: errors of the page, anything its policy blocked, a request to another
 * address than `home`, a dialog, a popup.
 */
export function watch(page: Page, home: string, problems: string[]): Disposable {
  const onError = (error: Error): void => void problems.push(`error: ${error.message}`);
  const onConsole = (message: ConsoleMessage): void => {
    if (message.type() === "error" || message.type() === "warning")
      problems.push(`console: ${message.text()}`);
  };
  const onDialog = (dialog: Dialog): void => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  };
  const onRequest = (request: Request): void => {
    const { protocol } = new URL(request.url());
    if (!request.url().startsWith(home) && protocol !== "data:") problems.push(`request: ${request.url()}`);
  };
  const onPopup = (popup: Page): void => void problems.push(`popup: ${popup.url()}`);
  page.on("pageerror", onError).on("console", onConsole).on("dialog", onDialog);
  page.on("request", onRequest).on("popup", onPopup);
  return {
    [Symbol.dispose]: () => {
      page.off("pageerror", onError).off("console", onConsole).off("dialog", onDialog);
      page.off("request", onRequest).off("popup", onPopup);
    },
  };
}
