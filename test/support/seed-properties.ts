import * as fc from "fast-check";

/** Property tests draw the same cases on every run; AFK_TEST_SEED draws others. */
fc.configureGlobal({ seed: Number(process.env["AFK_TEST_SEED"] ?? 20_261_121) });
