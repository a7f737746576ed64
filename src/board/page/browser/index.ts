export { browserClock, type PageClock } from "./clock.ts";
export { copyText } from "./copy-text.ts";
export { afterFirstView, firstViewIsDrawn } from "./first-view.ts";
export { httpsUrl } from "./https-url.ts";
export { pageNonce, withStyleNonce, writeSpanStylesAsProperties } from "./strict-styles.ts";
export { type Remembered, remembered } from "./remembered.ts";
export { useWidth } from "./use-width.ts";
export { loadScript } from "./load-script.ts";
