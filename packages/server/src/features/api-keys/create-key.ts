import type { ApiKey, CallOutput, ParsedInput } from '@bey/contract'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { act } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { mayNow } from '../../platform/keys/key-rights.ts'
import { newKeyToken } from '../../platform/keys/key-token.ts'
import { secretRow } from './secret-row.ts'
import {
  orNameTaken,
  readNetworks,
  requireConfirmed,
  requireHeld,
  requireResources,
  requireRoom,
  requireSelf,
} from './new-key.ts'
import { insertKey, insertSecret } from './store.ts'

const dayMs = 86_400_000

type KeyCreation = {
  database: Pick<Database, 'withTenant'>
  clock: Clock
  /** Reads the new key as its maker sees it. */
  load: (db: Db, caller: TenantCaller, id: string) => Promise<ApiKey>
}

/** Makes a key that can do no more than its maker, and answers its token, which is shown once. */
export async function createKey(
  { database, clock, load }: KeyCreation,
  caller: TenantCaller,
  input: ParsedInput<'apiKeys.create'>['body'],
): Promise<CallOutput<'apiKeys.create'>> {
  requireSelf(caller)
  if (!input.isPersonal && !mayNow(caller.role, 'apiKeys.manage')) {
    throw new AppError(
      'forbidden',
      `Your role ${caller.role} may make personal API keys only. An owner or admin can make one for the organization.`,
    )
  }
  requireHeld(caller.role, input.permissions)
  requireConfirmed(caller, input.permissions, clock)
  const allowedAddresses = readNetworks(input.allowedAddresses)
  const { organizationId } = caller
  const ownerId = input.isPersonal ? caller.user.id : null
  const token = newKeyToken()
  const now = clock.now()
  const id = uuidv7(now.getTime())
  const expiresAt =
    input.expiresInDays === null ? null : new Date(now.getTime() + input.expiresInDays * dayMs)
  const permissions = [...new Set(input.permissions)]
  return orNameTaken(input.name, () =>
    database.withTenant(organizationId, async (db) => {
      await requireResources(db, organizationId, input.resources)
      await requireRoom(db, organizationId, ownerId)
      await insertKey(db, {
        id,
        organizationId,
        name: input.name,
        ownerId,
        madeBy: caller.user.id,
        role: caller.role,
        permissions,
        resources: input.resources,
        allowedAddresses,
        requestsPerMinute: input.requestsPerMinute,
        createdAt: now,
        expiresAt,
      })
      await insertSecret(db, secretRow(organizationId, id, token, now))
      await act(db, caller, {
        action: 'api_key.create',
        class: 'access',
        target: { type: 'apiKey', id, name: input.name },
        diff: {
          isPersonal: input.isPersonal,
          permissions,
          resources: input.resources,
          allowedAddresses,
          expiresAt: expiresAt?.toISOString() ?? null,
        },
      })
      return keepReply(db, { key: await load(db, caller, id), token })
    }),
  )
}
