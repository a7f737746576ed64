export { createFleetMetrics, type FleetMetrics } from "./fleet-metrics.ts";
export { serveOperation } from "./serve-operation.ts";
