/** A minute of which the tree of locks is kept. */
export type LockMinute = { at: string; waiting: number }

const slotMs = 5 * 60_000

/** Up to three moments to look at beside now: the newest kept minute of each five minutes. The rest are listed by name. */
export function shownMoments(minutes: readonly LockMinute[]): { near: LockMinute[]; others: LockMinute[] } {
  const near: LockMinute[] = []
  const slots = new Set<number>()
  for (const minute of minutes) {
    const slot = Math.floor(Date.parse(minute.at) / slotMs)
    if (near.length === 3) break
    if (slots.has(slot)) continue
    slots.add(slot)
    near.push(minute)
  }
  return { near, others: minutes.filter((minute) => !near.includes(minute)) }
}
