export { createFleetMetrics, type FleetMetrics } from "./fleet-metrics.ts";
export { type OperationServer, serveOperation } from "./serve-operation.ts";
