import { type NetworkFigures } from '@bey/contract'
import { rangeOf } from '@bey/contract/networks/ranges'

import type { Held } from './addresses.ts'

const partCount = 16

/** What is counted of the addresses that are held in a network; several who share one count once. */
export function figuresOf(
  network: { cidr: string; figures: NetworkFigures | null },
  held: readonly Held[],
  unread: readonly { title: string }[],
  at: Date,
): NetworkFigures {
  const silent = unread.map(({ title }) => title)
  // What cannot be read is held all the same: the last whole count stands, with its own time.
  if (silent.length > 0 && network.figures !== null) return { ...network.figures, silent }
  const range = rangeOf(network.cidr)
  const size = range.last - range.first + 1n
  const parts = Array.from({ length: partCount }, () => 0)
  const seen = new Set<string>()
  for (const { family, value } of held) {
    const key = `${family} ${value}`
    if (seen.has(key)) continue
    seen.add(key)
    if (family !== range.family) continue
    const part = Number(((value - range.first) * BigInt(partCount)) / size)
    parts[part] = (parts[part] ?? 0) + 1
  }
  return { at: at.toISOString(), held: seen.size, parts, silent }
}
