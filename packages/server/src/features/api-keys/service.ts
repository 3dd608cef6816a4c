import { type ApiKey, type CallOutput, type ParsedInput, roles } from '@bey/contract'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { act } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { mayNow } from '../../platform/keys/key-rights.ts'
import { newKeyToken } from '../../platform/keys/key-token.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import { createKey } from './create-key.ts'
import { secretRow } from './secret-row.ts'
import { orNameTaken, readNetworks, requireConfirmed, requireSelf } from './new-key.ts'
import { presentKey, statusOf } from './present.ts'
import {
  findKey,
  findLockedKey,
  insertSecret,
  type KeyRow,
  listKeys,
  liveSecretIds,
  namesOf,
  replaceSecrets,
  updateKey,
  type Viewer,
} from './store.ts'

export type ApiKeyService = ReturnType<typeof createApiKeyService>

/** API keys of a person and of the organization. What a caller may not see is `not_found`. */
export function createApiKeyService({
  database,
  clock,
}: {
  database: Pick<Database, 'withTenant' | 'readTenant'>
  clock: Clock
}) {
  async function present(db: Db, { organizationId }: Viewer, row: KeyRow): Promise<ApiKey> {
    return presentKey(row, await namesOf(db, organizationId, row.resources), clock.now())
  }

  async function load(db: Db, viewer: Viewer, id: string): Promise<ApiKey> {
    return present(db, viewer, (await findKey(db, viewer, id)) ?? missing())
  }

  /** A live key, locked. Throws `conflict` for one that has ended. */
  async function liveKey(db: Db, viewer: Viewer, id: string): Promise<KeyRow> {
    const row = (await findLockedKey(db, viewer, id)) ?? missing()
    const status = statusOf(row, clock.now())
    if (status === 'revoked' || status === 'expired') {
      throw new AppError('conflict', `The API key "${row.name}" is ${status}. Make a new one instead.`)
    }
    return row
  }

  return {
    list(caller: TenantCaller, query: ParsedInput<'apiKeys.list'>['query']) {
      const viewer = viewerOf(caller)
      return database.readTenant(caller.organizationId, async (db) => {
        const { rows, ...total } = await listKeys(db, viewer, query)
        const names = await namesOf(
          db,
          caller.organizationId,
          rows.flatMap(({ resources }) => resources),
        )
        const keys = rows.map((row) => presentKey(row, names, clock.now()))
        return { keys, ...total, page: query.page, limit: query.limit }
      })
    },

    get(caller: TenantCaller, id: string): Promise<ApiKey> {
      return database.readTenant(caller.organizationId, (db) => load(db, viewerOf(caller), id))
    },

    create: (caller: TenantCaller, input: ParsedInput<'apiKeys.create'>['body']) =>
      createKey({ database, clock, load: (db, maker, id) => load(db, viewerOf(maker), id) }, caller, input),

    update(caller: TenantCaller, id: string, input: ParsedInput<'apiKeys.update'>['body']): Promise<ApiKey> {
      const changes = {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.allowedAddresses && { allowedAddresses: readNetworks(input.allowedAddresses) }),
        ...(input.requestsPerMinute !== undefined && { requestsPerMinute: input.requestsPerMinute }),
      }
      return orNameTaken(input.name ?? '', () =>
        database.withTenant(caller.organizationId, async (db) => {
          const viewer = viewerOf(caller)
          const before = await liveKey(db, viewer, id)
          const fields = Object.keys(changes) as (keyof typeof changes)[]
          const diff = Object.fromEntries(
            fields
              .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(changes[field]))
              .map((field) => [field, [before[field], changes[field]]]),
          )
          if (Object.keys(diff).length > 0) {
            await updateKey(db, caller.organizationId, id, changes)
            // What is open from an address that is not allowed any more ends.
            await endAccess(db, { kind: 'keyChange', keyId: id })
            const target = { type: 'apiKey', id, name: changes.name ?? before.name }
            await act(db, caller, { action: 'api_key.update', class: 'access', target, diff })
          }
          return load(db, viewer, id)
        }),
      )
    },

    async rotate(
      caller: TenantCaller,
      id: string,
      overlapHours: number,
    ): Promise<CallOutput<'apiKeys.rotate'>> {
      requireSelf(caller)
      const { organizationId } = caller
      const token = newKeyToken()
      return database.withTenant(organizationId, async (db) => {
        const viewer = viewerOf(caller)
        const before = await liveKey(db, viewer, id)
        requireMayHold(caller, before)
        requireConfirmed(caller, before.permissions, clock)
        const replaced = await replaceSecrets(db, organizationId, id, overlapHours)
        for (const { id: secretId, isOver } of replaced) {
          if (isOver) await endAccess(db, { kind: 'key', id: secretId })
        }
        await insertSecret(db, secretRow(organizationId, id, token, clock.now()))
        const target = { type: 'apiKey', id, name: before.name }
        await act(db, caller, { action: 'api_key.rotate', class: 'access', target, diff: { overlapHours } })
        return keepReply(db, { key: await load(db, viewer, id), token })
      })
    },

    async revoke(caller: TenantCaller, id: string): Promise<void> {
      await database.withTenant(caller.organizationId, async (db) => {
        const row = (await findLockedKey(db, viewerOf(caller), id)) ?? missing()
        if (row.revokedAt) throw new AppError('conflict', `The API key "${row.name}" is revoked already.`)
        await updateKey(db, caller.organizationId, id, { revokedAt: clock.now() })
        for (const secretId of await liveSecretIds(db, caller.organizationId, id)) {
          await endAccess(db, { kind: 'key', id: secretId })
        }
        const target = { type: 'apiKey', id, name: row.name }
        await act(db, caller, { action: 'api_key.revoke', class: 'access', target })
      })
    },
  }
}

/** Whoever manages the organization's keys sees all, everybody else their own. */
export function viewerOf({ organizationId, user, role }: TenantCaller): Viewer {
  return { organizationId, userId: user.id, isManager: mayNow(role, 'apiKeys.manage') }
}

/** The new secret is shown to the person who rotates: only to its owner, or to somebody who could have made such a key. */
function requireMayHold({ user, role }: TenantCaller, key: KeyRow): void {
  if (key.ownerId === user.id) return
  if (key.ownerId !== null) {
    throw new AppError(
      'forbidden',
      `"${key.name}" is a personal key of ${key.ownerName ?? 'somebody else'}, who alone can rotate it. You can revoke it.`,
    )
  }
  if (roles.indexOf(role) <= roles.indexOf(key.role)) return
  throw new AppError(
    'forbidden',
    `The API key "${key.name}" was made with the role ${key.role}, and yours is ${role}. You can revoke it.`,
  )
}

function missing(): never {
  throw new AppError('not_found', 'There is no such API key in this organization.')
}
