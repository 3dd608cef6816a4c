import type { Span } from './text-search.ts'

/** Of a linear congruential generator that passes spectral tests (Steele and Vigna, 2021). */
const multiplier = 0x91_5f_77_f5
const mixer = 0x9e_37_79_b1
/** Bits of the filter for each sample: about one position in 16 passes it by chance. */
const filterBits = 16
/** Places of the patterns that are compared for one sample; where it has so many, it is found whatever stands around it. */
const maxPlaces = 64

/**
 * Finds what a text has in common with any of these patterns from `length` characters on: a pattern that was cut at its
 * beginning, at its end or at both. One pass whose cost does not depend on the patterns; `undefined` where no pattern is
 * long enough.
 *
 * Of the patterns every fourth passage of `length - 3` characters is kept as a sample, in a hash table with open
 * addressing: each passage of `length` characters contains one.
 */
export function createPassageSearch(
  patterns: Iterable<string>,
  length: number,
): ((text: string) => Span[]) | undefined {
  const long = [...new Set(patterns)].filter((pattern) => pattern.length >= length)
  if (long.length === 0) return undefined
  const samples = createSamples(long, length)
  return (text) => {
    const spans: Span[] = []
    samples.find(text, (start, end) => {
      const last = spans.at(-1)
      if (last === undefined || start > last.end) spans.push({ start, end })
      else {
        last.start = Math.min(last.start, start)
        last.end = Math.max(last.end, end)
      }
    })
    return spans
  }
}

const step = 4

function createSamples(patterns: readonly string[], length: number) {
  const size = length - step + 1
  // What stands between two patterns is in no text.
  const units = codeUnits(patterns.join('\uffff'))
  const count = patterns.reduce((sum, pattern) => sum + Math.floor((pattern.length - size) / step) + 1, 0)
  const bits = Math.max(4, Math.ceil(Math.log2(count * 2)))
  const slots = new Int32Array(2 ** bits).fill(-1)
  const mapBits = Math.max(5, Math.ceil(Math.log2(count * filterBits)))
  const map = new Uint32Array(2 ** (mapBits - 5))
  let drop = 1
  for (let index = 0; index < size; index += 1) drop = Math.imul(drop, multiplier)

  let base = 0
  for (const pattern of patterns) {
    for (let start = base; start + size <= base + pattern.length; start += step) add(start)
    base += pattern.length + 1
  }

  function add(start: number): void {
    let hash = 0
    for (let index = start; index < start + size; index += 1) hash = next(hash, units[index] ?? 0)
    const mixed = mix(hash)
    const bit = mixed >>> (32 - mapBits)
    map[bit >>> 5] = (map[bit >>> 5] ?? 0) | (1 << (bit & 31))
    let places = 0
    let slot = mixed >>> (32 - bits)
    for (;;) {
      const at = slots[slot] ?? -1
      if (at === -1) break
      const isSample = commonFrom(units, start, at, size) === size
      places += isSample ? 1 : 0
      if (places === maxPlaces || (isSample && hasSameSides(start, at))) return
      slot = (slot + 1) & (slots.length - 1)
    }
    slots[slot] = start
  }

  function hasSameSides(start: number, at: number): boolean {
    const before = commonBefore(units, start, at, step - 1)
    const after = commonFrom(units, start + size, at + size, step - 1)
    return before === step - 1 && after === step - 1
  }

  function commonFrom(text: Uint16Array, start: number, at: number, most: number): number {
    let same = 0
    while (same < most && start + same < text.length && text[start + same] === units[at + same]) same += 1
    return same
  }

  function commonBefore(text: Uint16Array, start: number, at: number, most: number): number {
    let same = 0
    while (same < most && same < start && text[start - same - 1] === units[at - same - 1]) same += 1
    return same
  }

  function report(
    text: Uint16Array,
    mixed: number,
    start: number,
    found: (from: number, to: number) => void,
  ) {
    let places = 0
    for (let slot = mixed >>> (32 - bits); ; slot = (slot + 1) & (slots.length - 1)) {
      const at = slots[slot] ?? -1
      if (at === -1) return
      if (commonFrom(text, start, at, size) < size) continue
      places += 1
      if (places === maxPlaces) {
        return found(Math.max(0, start - step + 1), Math.min(text.length, start + length))
      }
      const before = commonBefore(text, start, at, step - 1)
      const after = commonFrom(text, start + size, at + size, step - 1)
      if (before + size + after >= length) found(start - before, start + size + after)
    }
  }

  return {
    /** Tells of each passage, in the order of the samples in the text. */
    find(text: string, found: (start: number, end: number) => void): void {
      let given: Uint16Array | undefined
      let hash = 0
      for (let index = 0; index < text.length; index += 1) {
        hash = next(hash, text.charCodeAt(index))
        const start = index - size + 1
        if (start > 0) hash = (hash - Math.imul(drop, text.charCodeAt(start - 1) + 1)) | 0
        if (start < 0) continue
        const mixed = mix(hash)
        const bit = mixed >>> (32 - mapBits)
        if (((map[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) continue
        given ??= codeUnits(text)
        report(given, mixed, start, found)
      }
    },
  }
}

function codeUnits(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le')
  const units = new Uint16Array(text.length)
  new Uint8Array(units.buffer).set(bytes)
  return units
}

function next(hash: number, unit: number): number {
  return (Math.imul(hash, multiplier) + unit + 1) | 0
}

function mix(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), mixer)
}
