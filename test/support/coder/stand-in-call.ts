import type { WorkspaceRecord } from "./stand-in-model.ts";
import type { StandInState } from "./stand-in-model.ts";

export interface Call {
  method: string;
  /** The path without `/api/v2`. */
  path: string;
  query: URLSearchParams;
  body: unknown;
  url: string;
}

export interface Reply {
  status: number;
  body?: unknown;
  /** A text body instead of JSON. */
  text?: string;
}

export function failure(status: number, message: string, detail?: string): Reply {
  return { status, body: { message, ...(detail === undefined ? {} : { detail }) } };
}

/** Finds a Coder workspace that is not deleted; names are unique per owner and case-insensitive. */
export function findByName(state: StandInState, name: string): WorkspaceRecord | undefined {
  return state.workspaces.find(
    (workspace) =>
      !workspace.isDeleted &&
      workspace.ownerId === state.me.id &&
      workspace.name.toLowerCase() === name.toLowerCase(),
  );
}
