const WARM_UP = 5;
const TIMES = 40;

/** Returns the 95th percentile of the wall time and the mean CPU time of this process, in milliseconds. */
export async function measureRequests(
  work: () => Promise<unknown>,
): Promise<{ p95Ms: number; cpuMs: number }> {
  for (let time = 0; time < WARM_UP; time += 1) await work();
  const before = process.cpuUsage();
  const walls: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const startedMs = performance.now();
    await work();
    walls.push(performance.now() - startedMs);
  }
  const { user, system } = process.cpuUsage(before);
  const sorted = walls.toSorted((one, other) => one - other);
  return { p95Ms: sorted[Math.ceil(TIMES * 0.95) - 1] ?? 0, cpuMs: (user + system) / 1_000 / TIMES };
}
