/** Whether one step must have ended before another begins. */
export type IsBefore = (earlier: string, later: string) => boolean

/**
 * The order of a graph of steps, as one row of bits a step: thousands of steps are asked about without a walk for each.
 * Steps of a cycle count as before each other; the cycle is a problem of its own.
 */
export function createAncestry(needs: ReadonlyMap<string, readonly string[]>): IsBefore {
  const keys = [...needs.keys()]
  const positions = new Map(keys.map((key, position) => [key, position]))
  const words = Math.ceil(keys.length / 32)
  const rows = new Map<string, Uint32Array>()
  for (const key of inOrder(needs)) {
    const row = new Uint32Array(words)
    for (const need of needs.get(key) ?? []) {
      const position = positions.get(need)
      if (position === undefined) continue
      row[position >>> 5] = (row[position >>> 5] ?? 0) | (1 << (position & 31))
      rows.get(need)?.forEach((bits, word) => {
        row[word] = (row[word] ?? 0) | bits
      })
    }
    rows.set(key, row)
  }
  return (earlier, later) => {
    const position = positions.get(earlier)
    const row = rows.get(later)
    if (row === undefined || !rows.has(earlier)) return earlier !== later
    return position !== undefined && ((row[position >>> 5] ?? 0) & (1 << (position & 31))) !== 0
  }
}

/** Every step after those that it needs; without the steps of a cycle and those after it. */
function inOrder(needs: ReadonlyMap<string, readonly string[]>): string[] {
  const waiting = new Map<string, number>()
  const after = new Map<string, string[]>()
  for (const [key, needed] of needs) {
    const known = [...new Set(needed)].filter((need) => needs.has(need))
    waiting.set(key, known.length)
    for (const need of known) {
      const list = after.get(need) ?? []
      list.push(key)
      after.set(need, list)
    }
  }
  const order = [...needs.keys()].filter((key) => waiting.get(key) === 0)
  // It grows while it is gone through.
  for (const key of order) {
    for (const next of after.get(key) ?? []) {
      const left = (waiting.get(next) ?? 0) - 1
      waiting.set(next, left)
      if (left === 0) order.push(next)
    }
  }
  return order
}
