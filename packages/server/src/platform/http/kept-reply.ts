import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../db/database.ts'

/** The reply of the request that is being answered, to be kept under its `Idempotency-Key`. */
export type KeptReply = { keep(db: Db, body: unknown): Promise<void> }

const current = new AsyncLocalStorage<KeptReply>()

export function answering<T>(reply: KeptReply, work: () => Promise<T>): Promise<T> {
  return current.run(reply, work)
}

/**
 * Stores `body` in the transaction of the change that it describes, and returns it. Both are committed or neither, so a
 * retry after a crash gets the same reply and repeats no change. Every POST that honours `Idempotency-Key` calls this as
 * the last statement of its transaction.
 */
export async function keepReply<T>(db: Db, body: T): Promise<T> {
  await current.getStore()?.keep(db, body)
  return body
}
