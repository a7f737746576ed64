export { Plots } from "./plots.tsx";
export { BottomAxis } from "./axis.tsx";
export { Figure, type PlotSize } from "./figure.tsx";
