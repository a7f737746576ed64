/** The nonce of this page's Content-Security-Policy; "" where there is none. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

/**
 * Runs `action` with a nonce on every <style> that it creates. xterm.js asks the global document for some of its own,
 * whatever its `documentOverride` says.
 */
export function withStyleNonce(action: () => void): void {
  const nonce = pageNonce();
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element: HTMLElement = createElement(name, options);
    if (name === "style") element.nonce = nonce;
    return element;
  };
  try {
    action();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}

/** xterm.js writes true colours as the text of style attributes, which the policy forbids; as CSSOM they are allowed. */
export function writeSpanStylesAsProperties(): void {
  HTMLSpanElement.prototype.setAttribute = function setAttribute(name: string, value: string): void {
    if (name === "style") this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };
}
