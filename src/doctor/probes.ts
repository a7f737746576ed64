import type { DoctorCheck as EngineCheck } from "agent-tty";
import type { AccessExaminer, LabelRegistry, RepositoryName } from "../github/index.ts";
import type { CoderQuestions, ProviderDescription } from "../workspaces/index.ts";
import type { ProgramSettings } from "../config/index.ts";
import type { FleetFacts, FleetProbes } from "./fleet/index.ts";
import type { HomeFacts } from "./judge-machine.ts";
import type { TriageAgentFacts } from "./judge-triage-agent.ts";

/** The queries of `doctor` to the machine and the network. Each may reject with an OperationalError. */
export interface DoctorProbes {
  /** The output of `git --version`. */
  git(signal: AbortSignal): Promise<string>;
  /** The settings, even without a repository, as far as the environment is valid. */
  configuration(): Promise<DoctorSettings>;
  github(settings: DoctorSettings): GithubProbes;
  coder(settings: DoctorSettings): CoderQuestions;
  home(directory: string): Promise<HomeFacts>;
  store(directory: string): Promise<void>;
  /** The engine's own checks of node, terminals and disk, in the home. */
  engine(directory: string): Promise<EngineCheck[]>;
  localProvider(signal: AbortSignal): Promise<ProviderDescription>;
  triageAgent(settings: DoctorSettings, signal: AbortSignal): Promise<TriageAgentFacts>;
  /** null: the fleet is not checked. */
  fleet: ((settings: DoctorSettings) => { facts: FleetFacts; probes: FleetProbes }) | null;
}

export interface GithubProbes {
  /** Returns the port that examines the credential and the repositories. Throws if there is no credential. */
  access(): AccessExaminer;
  labels(): LabelRegistry;
}

export interface DoctorSettings {
  settings: ProgramSettings;
  /** The config file that was read, or null. */
  file: string | null;
  repos: readonly RepositoryName[];
}

/** Facts that need no probe. */
export interface DoctorFacts {
  processors: number;
  environmentProblems: readonly { name: string; problem: string }[];
  /** The length in characters of the key that signs; null if none is set. */
  markerKeyLength: number | null;
  markerKeyMinimum: number;
}
