export { Plots } from "./plots.tsx";
export { BottomAxis } from "./axis.tsx";
export { CostBars } from "./cost-bars.tsx";
export { Figure, type PlotSize } from "./figure.tsx";
