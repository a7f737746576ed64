export { chooseFont, type FontName, fontPath } from "./fonts.ts";
