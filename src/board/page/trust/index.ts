export { Trust } from "./trust.tsx";
