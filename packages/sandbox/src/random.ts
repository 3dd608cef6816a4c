/** A repeatable source of numbers in [0, 1). */
export type Random = () => number

/** Mulberry32: small, quick and good enough for a simulation. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** FNV-1a, 32 bits: the same text always gives the same number. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

// No vowels and no look-alikes, so that generated names spell nothing: the alphabet of Kubernetes' own names.
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** `length` characters for generated names. */
export function suffix(random: Random, length = 5): string {
  let text = ''
  for (let i = 0; i < length; i++) text += safeAlphabet[Math.floor(random() * safeAlphabet.length)]
  return text
}

/** A stable suffix of a value, such as a pod-template-hash. */
export function hashSuffix(text: string, length = 10): string {
  return suffix(seededRandom(hash(text)), length)
}
