/** The part of a text from `start` up to, not including, `end`. */
export type Span = { start: number; end: number }

/** Characters of a pattern that are looked up for each position of a text; no pattern may be shorter. */
const keyLength = 4
/** Slots of the filter for each pattern: one position in 32 passes it although no pattern begins there. */
const slotsEach = 32

/**
 * Finds every place where one of many patterns stands in a text, in one pass whose cost hardly depends on how many
 * there are. The spans are in order and do not overlap; what overlaps in the text is one span.
 */
export function createTextSearch(patterns: Iterable<string>): (text: string) => Span[] {
  const sorted = [...new Set(patterns)].toSorted(compare)
  const parents = parentsOf(sorted)
  const longest = sorted.reduce((most, { length }) => Math.max(most, length), 0)
  const mayBegin = createFilter(sorted)

  /** Where the longest pattern that stands at `start` ends; `start` where there is none. */
  function endAt(text: string, start: number): number {
    const rest = text.slice(start, start + longest)
    const next = firstAfter(sorted, rest)
    // Between a pattern that `rest` begins with and `rest` itself stand only patterns that begin with it, too.
    for (let index = next - 1; index >= 0; index = parents[index] ?? -1) {
      const pattern = sorted[index] ?? ''
      if (rest.startsWith(pattern)) return start + pattern.length
    }
    return start
  }

  return (text) => {
    const spans: Span[] = []
    let key = 0
    for (let index = 0; index < text.length; index += 1) {
      key = (key << 8) ^ text.charCodeAt(index)
      if (index < keyLength - 1 || !mayBegin(key)) continue
      const start = index - keyLength + 1
      const end = endAt(text, start)
      if (end === start) continue
      const last = spans.at(-1)
      if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
      else spans.push({ start, end })
    }
    return spans
  }
}

/** Whether a pattern may begin with the four characters of a key. Of each older character all bits have left the key. */
function createFilter(patterns: readonly string[]): (key: number) => boolean {
  const bits = Math.max(5, Math.ceil(Math.log2(patterns.length * slotsEach + 1)))
  const words = new Uint32Array(2 ** (bits - 5))
  const slotOf = (key: number) => Math.imul(key, 0x9e_37_79_b1) >>> (32 - bits)
  for (const pattern of patterns) {
    if (pattern.length < keyLength) throw new RangeError(`Patterns have at least ${keyLength} characters.`)
    let key = 0
    for (let index = 0; index < keyLength; index += 1) key = (key << 8) ^ pattern.charCodeAt(index)
    const slot = slotOf(key)
    words[slot >>> 5] = (words[slot >>> 5] ?? 0) | (1 << (slot & 31))
  }
  return (key) => {
    const slot = slotOf(key)
    return ((words[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0
  }
}

/** For each of the sorted patterns the longest other one that it begins with, or -1. */
function parentsOf(sorted: readonly string[]): Int32Array {
  const parents = new Int32Array(sorted.length).fill(-1)
  for (const [index, pattern] of sorted.entries()) {
    let parent = index - 1
    while (parent >= 0 && !pattern.startsWith(sorted[parent] ?? '')) parent = parents[parent] ?? -1
    parents[index] = parent
  }
  return parents
}

/** The place of the first of the sorted patterns that is greater than `text`. */
function firstAfter(sorted: readonly string[], text: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  return low
}

/** By code units, as `<` orders texts. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
