export { GifWriter } from "./gif.ts";
export { encodePng } from "./png.ts";
export { type Picture, type PicturedScreen, type PictureOptions, planPicture } from "./picture.ts";
export { lineTop, pixelSize } from "./cell-size.ts";
export { type Raster, rasterize, rasterizeLines } from "./raster.ts";
export type { RenderErrorCode } from "./canvas.ts";
export { THEMES, type ThemeName } from "./theme.ts";
export { svgDocument, type SvgFrame } from "./svg.ts";
