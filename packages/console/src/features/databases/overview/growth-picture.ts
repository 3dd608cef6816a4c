import type { DatabaseGrowth } from '@bey/contract'

const dayMs = 86_400_000
/** Further ahead than this a week of sizes is not drawn. */
const maxAheadDays = 28

type Point = { x: number; y: number }

export type GrowthPicture = {
  fromMs: number
  /** Of the sizes that were measured; gaps stay gaps. */
  past: string
  now: Point
  lastBytes: number
  /** Where the limit lies; undefined without one. */
  limitY: number | undefined
  /** Where the line of growth meets what is free; undefined where it does not within 28 days. */
  full: (Point & { atMs: number }) | undefined
}

/** What is drawn of sizes in bytes, one a time; undefined where fewer than two were measured. Room is left for a dot of 3 px. */
export function growthPicture(
  {
    times,
    sizes,
    limitBytes,
    growth,
  }: {
    times: readonly number[]
    sizes: readonly (number | null)[]
    limitBytes: number | null
    growth: DatabaseGrowth | undefined
  },
  width: number,
  height: number,
): GrowthPicture | undefined {
  const points = sizes.flatMap((bytes, index) => {
    const atMs = times[index]
    return bytes === null || atMs === undefined ? [] : [{ index, atMs, bytes }]
  })
  const last = points.at(-1)
  const fromMs = times[0]
  if (last === undefined || fromMs === undefined || points.length < 2) return undefined
  const days = growth?.daysUntilFull ?? null
  const fullMs = days === null || days > maxAheadDays ? undefined : last.atMs + days * dayMs
  const toMs = Math.max(fullMs ?? 0, last.atMs + (last.atMs - fromMs) / 2)
  const fullBytes =
    fullMs === undefined || growth === undefined ? 0 : last.bytes + growth.bytesPerDay * (days ?? 0)
  const top = Math.max(limitBytes ?? 0, fullBytes, ...points.map(({ bytes }) => bytes)) * 1.1
  const xOf = (atMs: number) => 3 + ((atMs - fromMs) / (toMs - fromMs)) * (width - 6)
  const yOf = (bytes: number) => height - 2 - (bytes / top) * (height - 6)
  const past = points
    .map(({ index, atMs, bytes }, at) => {
      const isJoined = points[at - 1]?.index === index - 1
      return `${isJoined ? 'L' : 'M'}${xOf(atMs).toFixed(1)} ${yOf(bytes).toFixed(1)}`
    })
    .join('')
  return {
    fromMs,
    past,
    now: { x: xOf(last.atMs), y: yOf(last.bytes) },
    lastBytes: last.bytes,
    limitY: limitBytes === null ? undefined : Math.round(yOf(limitBytes)) + 0.5,
    full: fullMs === undefined ? undefined : { x: xOf(fullMs), y: yOf(fullBytes), atMs: fullMs },
  }
}
