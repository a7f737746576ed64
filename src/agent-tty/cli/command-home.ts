import { defaultHomeDirectory, type Home, openHome } from "../home/index.ts";
import { systemClock, systemIds } from "../kit/index.ts";

export function openCommandHome(chosen: string | undefined): Promise<Home> {
  const directory = chosen ?? defaultHomeDirectory(process.env);
  return openHome({ directory, clock: systemClock, ids: systemIds(systemClock) });
}
