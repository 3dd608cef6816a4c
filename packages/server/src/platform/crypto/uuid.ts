import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length
let lastMs = 0
let counter = 0

/**
 * A UUIDv7 (RFC 9562): sorts by time of creation, also within one millisecond of one process (the 12 bits
 * after the version are a counter). 62 random bits.
 */
export function uuidv7(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = 0
  } else if (++counter > 0xfff) {
    // More than 4096 in a millisecond, or the clock went back: borrow from the next millisecond.
    lastMs += 1
    counter = 0
  }
  if (used + 8 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const tail = pool.toString('hex', used, used + 8)
  used += 8
  const time = lastMs.toString(16).padStart(12, '0')
  const variant = (8 + (Number.parseInt(tail.charAt(0), 16) & 3)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`
}

/** What no UUIDv7 of this millisecond or later is less than; of a time before 1970 the least, after the year 10889 the last. */
export function firstUuidv7(atMs: number): string {
  const inRange = Math.min(Math.max(0, Math.floor(atMs)), 2 ** 48 - 1)
  const time = inRange.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
