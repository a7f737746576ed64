export { activityOf, type ObservedActivity } from "./activity.ts";
export { type AvailabilityFacts, availabilityOf, nextAvailability } from "./availability.ts";
export { createTracker, type TrackerOptions } from "./create-tracker.ts";
export { screenSignature } from "./observe-screen.ts";
export {
  type SendErrorCode,
  type SendGate,
  sendGate,
  type SendRefusal,
  sendRefusals,
  sendRefused,
} from "./send-gate.ts";
export { TRACKER_DEFAULTS, type TrackerSettings } from "./settings.ts";
export { type TrackedStateJson, trackedStateJson, trackedStateSchema } from "./tracked-state-json.ts";
