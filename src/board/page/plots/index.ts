export { Plots } from "./plots.tsx";
export { BottomAxis } from "./axis.tsx";
export { CostBars } from "./cost-bars.tsx";
export { bands, linearScale } from "./scale.ts";
export { Figure, type PlotSize } from "./figure.tsx";
