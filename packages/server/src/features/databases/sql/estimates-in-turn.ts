import { AppError } from '../../../platform/errors.ts'
import type { DatabaseRow } from '../store.ts'

/** Estimates of one database that may wait for their turn. */
const mostWaiting = 5

/**
 * Estimates of a database one after the other: they are asked for while people type, and must not take the few connections
 * that the console has there. Throws AppError `conflict` where too many wait.
 */
export function estimatesInTurn() {
  const turns = new Map<string, { last: Promise<unknown>; waiting: number }>()
  return async <T>(row: Pick<DatabaseRow, 'id' | 'name'>, work: () => Promise<T>): Promise<T> => {
    const turn = turns.get(row.id) ?? { last: Promise.resolve(), waiting: 0 }
    if (turn.waiting >= mostWaiting) {
      throw new AppError(
        'conflict',
        `Several statements are being planned on "${row.name}" now. Ask again in a moment.`,
      )
    }
    turn.waiting += 1
    turns.set(row.id, turn)
    const done = turn.last.then(work)
    turn.last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      turn.waiting -= 1
      if (turn.waiting === 0) turns.delete(row.id)
    }
  }
}
