import type { Entry } from './log-store.ts'

/** Halved often enough, two numbers have none between them; ids stay below a thousand million. */
const leastStep = 1e-6

/** Whether an entry belongs before the last one: its line reached the server after later lines of others. */
export function isLate(entry: Entry, last: Entry | undefined): boolean {
  // What belongs to no source, such as a lost connection, stands where it came.
  return last !== undefined && entry.source !== 0 && entry.at < last.at
}

/** Index of the first entry that may follow one of this time. */
export function placeOf(entries: readonly Entry[], at: string): number {
  let index = entries.length
  while (index > 0 && (entries[index - 1]?.at ?? '') > at) index -= 1
  return index
}

/**
 * The end of a log with what came late, by time. Lines of one source stay in the order in which they came, whatever
 * their times say. Ids grow from first to last: a late entry gets one between those of its neighbours, and where no
 * number is left between them, the rest is numbered anew.
 */
export function withLate(
  tail: readonly Entry[],
  late: readonly Entry[],
  idBefore: number,
  newId: () => number,
): Entry[] {
  const ends = new Map<number, string>()
  let lastTime = ''
  const timed = [...tail, ...late].map((entry) => {
    const own = entry.source === 0 ? lastTime : entry.at
    const before = ends.get(entry.source) ?? ''
    lastTime = own > before ? own : before
    ends.set(entry.source, lastTime)
    return { entry, time: lastTime }
  })
  const entries = timed
    .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    .map(({ entry }) => entry)
  return numbered(entries, new Set(tail), idBefore, newId)
}

function numbered(
  entries: readonly Entry[],
  known: ReadonlySet<Entry>,
  idBefore: number,
  newId: () => number,
): Entry[] {
  const result: Entry[] = []
  let run: Entry[] = []
  let last = idBefore
  let isAnew = false
  const add = (entry: Entry, id: number) => {
    last = id
    result.push(entry.id === id ? entry : { ...entry, id })
  }
  for (const entry of entries) {
    if (!known.has(entry)) {
      run.push(entry)
      continue
    }
    const step = (entry.id - last) / (run.length + 1)
    isAnew ||= step < leastStep
    for (const each of run) add(each, isAnew ? newId() : last + step)
    add(entry, isAnew ? newId() : entry.id)
    run = []
  }
  for (const each of run) add(each, newId())
  return result
}
