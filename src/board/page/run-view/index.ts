export { RunView } from "./run-view.tsx";
