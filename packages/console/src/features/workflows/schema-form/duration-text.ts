const units = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1_000 },
  { unit: 'ms', ms: 1 },
] as const

export type DurationUnit = (typeof units)[number]['unit']

export const durationUnits: readonly DurationUnit[] = ['ms', 's', 'min', 'h', 'd']

/** A duration in the largest unit in which it is a whole number. */
export function splitDuration(ms: number): { count: number; unit: DurationUnit } {
  const found = units.find((each) => ms > 0 && ms % each.ms === 0)
  return found ? { count: ms / found.ms, unit: found.unit } : { count: ms, unit: ms === 0 ? 's' : 'ms' }
}

export function durationMs(count: number, unit: DurationUnit): number {
  return Math.round(count * (units.find((each) => each.unit === unit)?.ms ?? 1))
}
