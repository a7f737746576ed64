export { Plots } from "./plots.tsx";
export { Figure, type PlotSize } from "./figure.tsx";
