export { type PackageCase, packageCases, specOf } from "./package-cases.ts";
export { type CaseReport, type ChosenAgent, runCase } from "./run-case.ts";
export { createPackageRepository } from "./package-repository.ts";
export { reportReader } from "./model-script.ts";
