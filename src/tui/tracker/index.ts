export { type AvailabilityFacts, availabilityOf, nextAvailability } from "./availability.ts";
export { createTracker, type TrackerOptions } from "./create-tracker.ts";
export { screenSignature } from "./screen-signature.ts";
export { TRACKER_DEFAULTS, type TrackerSettings } from "./settings.ts";
