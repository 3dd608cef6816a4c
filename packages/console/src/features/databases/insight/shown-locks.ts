import type { DatabaseSession, LockNode } from '@bey/contract'

/** A row of the tree. `goneAtMs`: since when its session neither waits nor holds others up; null while it does. */
export type ShownLock = LockNode<DatabaseSession> & { goneAtMs: number | null }

/** How long a session that is gone stays in the tree, in ms, so that rows do not move under the pointer. */
export const goneShownMs = 10_000

/** The tree as it is now, with those that left it in the last 10 s in the places that they had. */
export function withGone(
  before: readonly ShownLock[],
  nodes: readonly LockNode<DatabaseSession>[],
  nowMs: number,
): ShownLock[] {
  const shown: ShownLock[] = nodes.map((node) => ({ ...node, goneAtMs: null }))
  const present = new Set(shown.map(sessionKey))
  let previous: string | undefined
  for (const row of before) {
    const key = sessionKey(row)
    if (!present.has(key)) {
      const goneAtMs = row.goneAtMs ?? nowMs
      if (nowMs - goneAtMs >= goneShownMs) continue
      const place = shown.findIndex((each) => sessionKey(each) === previous) + 1
      shown.splice(place, 0, { ...row, goneAtMs, frees: 0 })
    }
    previous = key
  }
  return shown
}

/** A pid is given anew once its session has ended. */
export const sessionKey = ({ session: { pid, identity } }: Pick<ShownLock, 'session'>) =>
  `${pid} ${identity ?? ''}`
