import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hashOf, openBox, replyBox } from './kept-secret.ts'
import type { Clock } from '../clock.ts'
import type { RootKey } from '../crypto/root-key.ts'
import type { Database, Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import {
  completeKey,
  deleteKey,
  deleteKeysBefore,
  deleteOpenKey,
  findKey,
  insertKey,
  type KeyScope,
} from './idempotency-store.ts'
import { answering } from './kept-reply.ts'

/** A finished reply: status and the JSON text of its body. */
type FinishedReply = { status: number; json: string }

/** A reply as it is stored. */
type StoredReply = { status: number; response: unknown }

/** The reply that a handler's body becomes. */
type Finish = (body: unknown) => FinishedReply

/** `answersSecret`: what is kept of the reply opens with the client's key alone. */
type Kept = { name: string; answersSecret: boolean }

export type Idempotency = {
  /**
   * Works once per `Idempotency-Key`, user, organization and endpoint for 24 h, and answers what it answered
   * then. Throws `idempotency_mismatch` for another body and `idempotency_in_flight` while the first request
   * is still being answered. What fails is forgotten, so it can be tried again. `finish` makes the reply of what
   * `work` hands to `keepReply`, which is committed with the change.
   */
  once(
    request: FastifyRequest,
    endpoint: Kept,
    input: unknown,
    finish: Finish,
    work: () => Promise<FinishedReply>,
  ): Promise<FinishedReply & { isReplayed: boolean }>
}

const keyLifetimeMs = 24 * 3_600_000
/** A process that died answering leaves its key in flight; nothing is answered later than this. */
const abandonedAfterMs = 120_000

export function createIdempotency(database: Database, rootKey: RootKey, clock: Clock, log: Log): Idempotency {
  const hashesOf = requestHasher(rootKey)
  const orphans: Orphans = new Map()
  database.onUp(() => {
    for (const [id, inScope] of orphans) {
      inScope((db) => deleteOpenKey(db, id)).then(
        () => orphans.delete(id),
        (error: unknown) =>
          log.warn({ err: error }, 'An Idempotency-Key stays in flight until it is used again'),
      )
    }
  })
  return {
    async once(request, { name: endpoint, answersSecret }, input, finish, work) {
      const key = keyOf(request)
      if (key === undefined) return { ...(await work()), isReplayed: false }
      const { caller } = request
      const userId = caller?.user?.id
      if (userId === undefined) throw new Error(`${endpoint} is idempotent but open to everybody`)
      const scope: KeyScope = {
        organizationId: caller?.organizationId ?? 0,
        userId,
        // What a person was answered is not for the keys that write in their name, which may do less.
        endpoint: caller?.key ? `${endpoint} by ${caller.key.id}` : endpoint,
        key: answersSecret ? hashOf(key) : key,
      }
      const box = answersSecret ? replyBox(rootKey, scope, key) : openBox
      const inScope = <T>(act: (db: Db) => Promise<T>) =>
        scope.organizationId === 0
          ? database.withUser(userId, act)
          : database.withTenant(scope.organizationId, act)

      const hashes = hashesOf(input)
      const claimed = await inScope((db) => claim(db, scope, hashes, clock.now(), orphans))
      if (typeof claimed !== 'string')
        return { status: claimed.status, json: box.open(claimed.response), isReplayed: true }
      let isKept = false
      const keep = async (db: Db, { status, json }: FinishedReply) => {
        // Another request considered this one abandoned and holds the key: the change must not be made twice.
        if (!(await completeKey(db, claimed, status, box.close(json)))) throw inFlight()
        isKept = true
      }
      try {
        const reply = await answering({ keep: (db, body) => keep(db, finish(body)) }, work)
        // Nothing was changed, as when what is asked for is under way already.
        if (!isKept) await inScope((db) => keep(db, reply))
        return { ...reply, isReplayed: false }
      } catch (error) {
        // What was committed although it looked as if it had failed stays done, and its reply is kept.
        await inScope((db) => deleteOpenKey(db, claimed)).catch((reason: unknown) => {
          log.warn({ err: reason, endpoint }, 'An Idempotency-Key is freed once the database is back')
          orphans.set(claimed, inScope)
        })
        throw error
      }
    },
  }
}

/** Hashes of a request under the present root key, which is stored, and under the previous one. */
type RequestHashes = { present: Buffer; previous: Buffer | undefined }

/** With a plain hash, short bodies and the weak secrets in them could be guessed from a dump of the database. */
function requestHasher({ key, previous }: RootKey): (input: unknown) => RequestHashes {
  const hmac = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text).digest()
  const presentKey = hmac(key, 'bey-idempotency')
  const previousKey = previous && hmac(previous.key, 'bey-idempotency')
  return (input) => {
    const text = JSON.stringify(input)
    return { present: hmac(presentKey, text), previous: previousKey && hmac(previousKey, text) }
  }
}

/** Keys in flight whose request has failed while the database was away, each with the way to its organization. */
type Orphans = Map<string, <T>(act: (db: Db) => Promise<T>) => Promise<T>>

/** The id of the key's new row, or the stored reply of the first request. */
async function claim(
  db: Db,
  scope: KeyScope,
  hashes: RequestHashes,
  now: Date,
  orphans: Orphans,
): Promise<string | StoredReply> {
  const hash = hashes.present
  await deleteKeysBefore(db, new Date(now.getTime() - keyLifetimeMs))
  const inserted = await insertKey(db, scope, hash)
  if (inserted !== undefined) return inserted
  const found = await findKey(db, scope)
  // Its request failed in this very moment; the key is free again.
  if (found === undefined) throw inFlight()
  if (!found.requestHash.equals(hash) && !hashes.previous?.equals(found.requestHash)) {
    throw new AppError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with another body. Use a new key for another request.',
    )
  }
  if (found.statusCode !== null) return { status: found.statusCode, response: found.response }
  const isOver = orphans.delete(found.id) || now.getTime() - found.createdAt.getTime() >= abandonedAfterMs
  if (!isOver) throw inFlight()
  await deleteKey(db, found.id)
  const again = await insertKey(db, scope, hash)
  if (again === undefined) throw inFlight()
  return again
}

function inFlight(): AppError {
  return new AppError(
    'idempotency_in_flight',
    'A request with this Idempotency-Key is still being answered. Wait for it, then ask again with the same key.',
  )
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  const message = 'Send 1 to 255 printable ASCII characters without spaces.'
  throw new AppError('invalid_request', `Idempotency-Key: ${message}`, {
    errors: [{ path: 'Idempotency-Key', message }],
  })
}
