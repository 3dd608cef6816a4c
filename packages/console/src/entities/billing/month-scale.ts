export type Point = readonly [day: number, value: number]

/** Sums from the first day to each. For drawing only: money that is written comes from the server. */
export function sumsOf(days: readonly { amount: string }[]): number[] {
  let sum = 0
  return days.map(({ amount }) => (sum += Number(amount)))
}

/** Round values of an axis from 0, and its end. */
export function ticksOf(highest: number): { most: number; ticks: number[] } {
  if (highest <= 0) return { most: 1, ticks: [0] }
  const rough = (highest * 1.05) / 4
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((each) => each >= rough) ?? rough
  const count = Math.ceil((highest * 1.02) / step)
  return { most: step * count, ticks: Array.from({ length: count + 1 }, (_none, index) => step * index) }
}
