const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How points are kept: each finer table is rolled up into the next, which keeps them longer. */
export const steps = {
  sample: { table: 'metric_samples', stepMs: 15_000, keptMs: 2 * hourMs, partitionMs: hourMs },
  minute: { table: 'metric_minutes', stepMs: minuteMs, keptMs: 2 * dayMs, partitionMs: 12 * hourMs },
  hour: { table: 'metric_hours', stepMs: hourMs, keptMs: 366 * dayMs, partitionMs: 30 * dayMs },
} as const

export type Step = keyof typeof steps

/** The beginning of the step in which an instant lies. */
export const floorTo = (ms: number, stepMs: number) => Math.floor(ms / stepMs) * stepMs

/** Steps in which series are shown: each divides a day, and each of the stored ones is among them. */
export const shownSteps = [
  15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1000)

/** The finest step that is still stored of a time so long ago. */
export function finestStepMs(ageMs: number): number {
  if (ageMs <= steps.sample.keptMs) return steps.sample.stepMs
  return ageMs <= steps.minute.keptMs ? steps.minute.stepMs : steps.hour.stepMs
}

/** A step that shows `rangeMs` in about `points` points and is stored of a time `ageMs` ago. */
export function stepFor(rangeMs: number, ageMs: number, points = 240): number {
  return shownStepFor(rangeMs, finestStepMs(ageMs), points)
}

/** A step that shows `rangeMs` in about `points` points and is not finer than what is stored. */
export function shownStepFor(rangeMs: number, storedMs: number, points = 240): number {
  const least = Math.max(rangeMs / points, storedMs)
  return shownSteps.find((step) => step >= least) ?? dayMs
}
