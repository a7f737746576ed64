export { BatchView } from "./batch-view.tsx";
