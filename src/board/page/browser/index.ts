export { browserClock, type PageClock } from "./clock.ts";
export { httpsUrl } from "./https-url.ts";
export { pageNonce, withStyleNonce, writeSpanStylesAsProperties } from "./strict-styles.ts";
export { type Remembered, remembered } from "./remembered.ts";
export { useWidth } from "./use-width.ts";
