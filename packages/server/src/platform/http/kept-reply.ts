import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../db/database.ts'

/** The reply of the request that is being answered, to be kept under its `Idempotency-Key`. */
export type KeptReply = { keep(db: Db, body: unknown): Promise<void> }

const current = new AsyncLocalStorage<KeptReply>()

export function answering<T>(reply: KeptReply, work: () => Promise<T>): Promise<T> {
  return current.run(reply, work)
}

/**
 * Answers `body`, having kept it within the transaction of the change that it tells of: both are committed or neither,
 * so that a retry after a crash is answered and changes nothing again. Every POST that honours `Idempotency-Key`
 * returns its reply through this, last of all in its transaction.
 */
export async function keepReply<T>(db: Db, body: T): Promise<T> {
  await current.getStore()?.keep(db, body)
  return body
}
