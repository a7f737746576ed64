export { Plots } from "./plots.tsx";
