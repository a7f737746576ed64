import { z } from "zod";
import type { InstallationReader } from "../installation-port.ts";
import type { RepositoryName } from "../port.ts";
import { getRequest, readPages } from "./listing.ts";
import { serverTimeMs } from "./server-time.ts";
import type { Wire, WireAnswer, WireRequest } from "./wire.ts";
import { repositoryMoved } from "./wire-errors.ts";

const installationSchema = z.object({ id: z.int(), suspended_at: z.string().nullish() });
const repositoriesSchema = z.object({
  repositories: z.array(z.object({ id: z.int(), full_name: z.string(), archived: z.boolean().nullish() })),
});

/** Returns the port that reads the installations of a GitHub App and their repositories. */
export function createInstallationReader(wire: Wire): InstallationReader {
  const refused =
    ({ attempted }: WireRequest) =>
    (_: number, error: unknown): never => {
      throw error ?? repositoryMoved(attempted, "");
    };
  return {
    installations: async (signal) => {
      const request: WireRequest = {
        ...getRequest("list the installations of the App", "/app/installations", {}, signal),
        as: "app",
      };
      let atMs: number | null = null;
      const read = (answer: WireAnswer) => {
        atMs ??= serverTimeMs(answer.headers);
        return wire.parse(request, answer, z.array(installationSchema));
      };
      const found = await readPages(wire, request, read, refused(request));
      return {
        atMs,
        installations: found.map(({ id, suspended_at: suspendedAt }) => ({
          id,
          isSuspended: Boolean(suspendedAt),
        })),
      };
    },
    repositories: async (installationId, signal) => {
      const attempted = `list the repositories of installation ${installationId}`;
      const request: WireRequest = {
        ...getRequest(attempted, "/installation/repositories", {}, signal),
        as: installationId,
      };
      const found = await readPages(
        wire,
        request,
        (answer) => wire.parse(request, answer, repositoriesSchema).repositories,
        refused(request),
      );
      return found.map(({ id, full_name: name, archived }) => ({
        id,
        name: name as RepositoryName,
        isArchived: archived ?? false,
      }));
    },
  };
}
