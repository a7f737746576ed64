export { type Interval, wilsonInterval } from "./wilson.ts";
