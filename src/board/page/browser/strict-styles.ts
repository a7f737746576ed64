/** Returns the nonce of this page's Content-Security-Policy; "" if there is none. */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

/**
 * Runs `action` with a nonce on every <style> that it creates. xterm.js creates some of them with the global document, in spite
 * of its `documentOverride`.
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

/** Makes xterm.js set true colours through CSSOM. It writes them as style attributes, which the policy forbids. */
export function writeSpanStylesAsProperties(): void {
  HTMLSpanElement.prototype.setAttribute = function setAttribute(name: string, value: string): void {
    if (name === "style") this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };
}
