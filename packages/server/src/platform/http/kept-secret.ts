import { createHash, createHmac } from 'node:crypto'

import type { RootKey } from '../crypto/root-key.ts'
import { seal, SealError, unseal } from '../crypto/sealed-box.ts'
import { AppError } from '../errors.ts'
import type { KeyScope } from './idempotency-store.ts'

/** How a reply is stored: `close` makes what goes into the row, `open` the text of the reply again. */
type ReplyBox = { close(json: string): unknown; open(stored: unknown): string }

/** For replies without a secret. */
export const openBox: ReplyBox = {
  close: (json) => JSON.parse(json) as unknown,
  open: (stored) => JSON.stringify(stored),
}

/** Stands for a client's key in the database where the key itself opens what is stored. */
export function hashOf(key: string): string {
  return createHash('sha256').update(`bey-idempotency-key ${key}`).digest('hex')
}

/**
 * For replies that show a secret: sealed under the root key and the client's own `Idempotency-Key`, which the server does
 * not keep. Neither the database nor the root key with it shows the secret. Throws AppError `idempotency_mismatch` where
 * the root key was changed twice meanwhile.
 */
export function replyBox({ key: present, previous }: RootKey, scope: KeyScope, clientKey: string): ReplyBox {
  const { organizationId, userId, endpoint } = scope
  const context = `idempotency:${organizationId}:${userId}:${endpoint}`
  const keys = [present, previous?.key].flatMap((root) =>
    root === undefined
      ? []
      : [createHmac('sha256', root).update(`bey-idempotency-reply ${clientKey}`).digest()],
  )
  return {
    close: (json) => {
      const [key] = keys
      if (key === undefined) throw new Error('There is no root key')
      return { sealed: seal(key, json, context).toString('base64') }
    },
    open(stored) {
      const sealed = Buffer.from(sealedOf(stored), 'base64')
      for (const key of keys) {
        try {
          return unseal(key, sealed, context).toString('utf8')
        } catch (error) {
          if (!(error instanceof SealError)) throw error
        }
      }
      throw new AppError(
        'idempotency_mismatch',
        'The first reply to this Idempotency-Key cannot be opened any more. Use a new key for another request.',
      )
    },
  }
}

function sealedOf(stored: unknown): string {
  if (typeof stored === 'object' && stored !== null && 'sealed' in stored) return String(stored.sealed)
  throw new Error('A reply that shows a secret was stored without a seal')
}
