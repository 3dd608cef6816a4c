import { canonicalNetwork, type DatabaseConnection, type ParsedInput, sqlName } from '@bey/contract'

import { act, type Member } from '../../platform/act.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { whyNotNow } from '../../platform/keys/key-rights.ts'
import type { Who } from '../secrets/parts.ts'
import { changePolicy, requireSchedules } from './backups/change-policy.ts'
import { sendDatabaseMessage } from './database-messages.ts'
import { createOnCluster } from './cnpg/create-on-cluster.ts'
import { parseConnection } from './connection-string.ts'
import type { NewSettings } from './changes/configure-server.ts'
import {
  insertNewDatabase,
  orNameTaken,
  requireExtensions,
  requireRoomOnDisk,
  requireRoomOnMachine,
} from './new-database.ts'
import { type DatabaseParts, startDatabaseRun } from './parts.ts'
import { databaseTarget, existing, presentDatabase } from './present.ts'
import { nothingSet } from './quota/quota-round.ts'
import { findDatabase } from './store.ts'

type Input = ParsedInput<'databases.create'>['body']

/**
 * Creates a database: on this machine by a run that is queued with it, elsewhere by a first look at its server. Throws
 * AppError `invalid_request`, `name_taken`, `limit_reached` for a quota or a machine without room.
 */
export function createDatabaseCreation(
  parts: DatabaseParts & { newPassword: () => string; lookNow: () => void },
) {
  const { database, credentials, providers } = parts
  const createInCluster = createOnCluster(parts)

  async function createEmbedded(input: Input, caller: Who) {
    const { name, description, plan = 'small', isProtected, backups, allowList = [] } = input
    const { parameters = {}, extensions = [], diskQuotaBytes } = input
    await requireExtensions(providers, extensions)
    await requireRoomOnMachine(providers, plan)
    if (diskQuotaBytes !== undefined) await requireRoomOnDisk(providers, diskQuotaBytes)
    const { organizationId } = caller
    return orNameTaken(name, () =>
      database.withTenant(organizationId, async (db) => {
        const values = {
          name,
          description,
          plan,
          isProtected,
          allowList: allowList.map((each) => ({ ...each, cidr: canonicalNetwork(each.cidr) })),
          ...(diskQuotaBytes !== undefined && { diskQuota: { ...nothingSet, limitBytes: diskQuotaBytes } }),
          provider: 'embedded',
          status: 'pending',
          databaseName: sqlName(name),
          username: sqlName(name),
          tls: 'disable',
        } as const
        const id = await insertNewDatabase(credentials, db, values, parts.newPassword(), caller)
        const row = existing(await findDatabase(db, organizationId, id))
        const settings: NewSettings = { parameters, extensions }
        const run = await startDatabaseRun(parts, db, row, 'database.create', caller, { settings })
        await act(db, caller, {
          action: 'database.create',
          class: 'create',
          diff: {
            provider: 'embedded',
            plan,
            ...(allowList.length > 0 && { allowList: allowList.map(({ cidr }) => cidr) }),
            ...(Object.keys(parameters).length > 0 && { parameters }),
            ...(extensions.length > 0 && { extensions }),
            ...(diskQuotaBytes !== undefined && { diskQuotaBytes }),
          },
          target: databaseTarget(row),
          runId: run.runId,
        })
        if (backups) await changePolicy(db, row, backups, { caller, now: parts.clock.now(), isNew: true })
        return keepReply(db, presentDatabase(existing(await findDatabase(db, organizationId, id))))
      }),
    )
  }

  async function createExternal(input: Input, connection: DatabaseConnection, caller: Who) {
    const { name, description, isProtected } = input
    const { password, ...target } = parseConnection(connection)
    const { organizationId } = caller
    const made = await orNameTaken(name, () =>
      database.withTenant(organizationId, async (db) => {
        const values = {
          ...target,
          name,
          description,
          isProtected,
          provider: 'external',
          status: 'connecting',
        } as const
        const id = await insertNewDatabase(credentials, db, values, password, caller)
        const row = existing(await findDatabase(db, organizationId, id))
        await act(db, caller, {
          action: 'database.connect',
          class: 'create',
          diff: { provider: 'external', host: target.host, port: target.port, tls: target.tls },
          target: databaseTarget(row),
        })
        const message = { databaseId: id, name, reason: null, runId: null }
        await sendDatabaseMessage(db, organizationId, 'database.created', message)
        return keepReply(db, presentDatabase(row))
      }),
    )
    parts.lookNow()
    return made
  }

  return (input: Input, caller: Member) => {
    requireRights(caller, input)
    if (input.backups) requireSchedules(input.backups, 'backups.')
    // The schema asks for a connection of every external one, and for a cluster of every one on a cluster.
    return input.cluster !== undefined
      ? createInCluster(input, input.cluster, caller)
      : input.connection === undefined
        ? createEmbedded(input, caller)
        : createExternal(input, input.connection, caller)
  }
}

/** What is given needs the rights that changing it later needs. Throws AppError `forbidden`. */
function requireRights(caller: Who, input: Input): void {
  const { backups, allowList = [], parameters = {}, extensions = [], diskQuotaBytes } = input
  const isManaged = allowList.length + Object.keys(parameters).length + extensions.length > 0
  const refusal =
    (backups && whyNotNow(caller.role, 'databases.backup')) ??
    (isManaged || diskQuotaBytes !== undefined ? whyNotNow(caller.role, 'databases.manage') : undefined)
  if (refusal) throw new AppError('forbidden', refusal)
}
