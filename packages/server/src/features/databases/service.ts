import { credentialName, databasePlanIds, databasePlans, engineFamily, engineLabel } from '@bey/contract'

import { act } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import type { Who } from '../secrets/parts.ts'
import { parseConnection } from './connection-string.ts'
import { createAdoption } from './cnpg/adopt.ts'
import { createClusterChanges } from './cnpg/change-on-cluster.ts'
import { createPreview } from './cnpg/preview-on-cluster.ts'
import { createClusterFinder } from './cnpg/find-clusters.ts'
import { createDatabaseCreation } from './create.ts'
import { creationTimes } from './creation-times.ts'
import { listDatabases, summarize } from './list.ts'
import { problemText } from './problem-text.ts'
import { measureExternal } from './measure-external.ts'
import { createOperations } from './operate.ts'
import { offeredExtensions } from './new-database.ts'
import type { DatabaseParts } from './parts.ts'
import { databaseTarget, existing, presentDatabase } from './present.ts'
import type { ExternalTarget } from './provider.ts'
import { type DatabaseRow, findDatabase, lockDatabase, moveDatabase, updateDatabase } from './store.ts'

type Names = `databases.${
  | 'list'
  | 'places'
  | 'get'
  | 'create'
  | 'clusters'
  | 'adopt'
  | 'preview'
  | 'changeCluster'
  | 'failOver'
  | 'test'
  | 'update'
  | 'reconnect'
  | 'provision'
  | 'restart'
  | 'hibernate'
  | 'resume'
  | 'references'
  | 'delete'}`

export type DatabaseServiceParts = DatabaseParts & { newPassword: () => string; lookNow: () => void }

/** Databases of an organization. What is not the organization's is `not_found`. */
export function databaseHandlers(parts: DatabaseServiceParts): Handlers<Names> {
  const { database, providers } = parts
  const create = createDatabaseCreation(parts)
  const adopt = createAdoption(parts)
  const preview = createPreview(parts)
  const changes = createClusterChanges(parts)
  const findClusters = createClusterFinder(parts)
  const operations = createOperations(parts)
  const operation =
    (name: 'create' | 'restart' | 'hibernate' | 'resume') =>
    ({ caller, params }: { caller: Who; params: { id: string } }) =>
      operations.operate(params.id, name, caller)

  return {
    'databases.list': ({ caller: { organizationId }, query }) =>
      database.readTenant(organizationId, async (db) => {
        const { rows, total } = await listDatabases(db, organizationId, query)
        return {
          databases: rows.map(presentDatabase),
          ...total,
          page: query.page,
          limit: query.limit,
          summary: await summarize(db, organizationId),
        }
      }),

    'databases.get': ({ caller: { organizationId }, params }) =>
      database.readTenant(organizationId, async (db) =>
        presentDatabase(existing(await findDatabase(db, organizationId, params.id))),
      ),

    'databases.places': async ({ caller: { organizationId } }) => {
      const { embedded } = providers
      const readyIn = await database.readTenant(organizationId, (db) => creationTimes(db, organizationId))
      const plans = await Promise.all(
        databasePlanIds.map(async (id) => {
          const { memoryBytes, maxConnections } = databasePlans[id]
          const refusal = (await embedded.refusalOf(memoryBytes)) ?? null
          return { id, memoryBytes, maxConnections, refusal }
        }),
      )
      return {
        readyIn,
        embedded: {
          version: await embedded.version(),
          ...(await embedded.capacity()),
          extensions: await offeredExtensions(providers),
          clientAccess: await embedded.clientAccess(),
          plans,
        },
      }
    },

    'databases.create': ({ caller, body }) => create(body, caller),
    'databases.clusters': ({ caller }) => findClusters(caller),
    'databases.preview': ({ caller, body }) => preview(body, caller),
    'databases.changeCluster': ({ caller, params, body }) => changes.change(params.id, body, caller),
    'databases.failOver': ({ caller, params, body }) => changes.failOver(params.id, body ?? {}, caller),
    'databases.adopt': ({ caller, body }) => adopt(body, caller),
    'databases.test': ({ body }) => testConnection(parts, parseConnection(body.connection)),

    'databases.update': ({ caller, params: { id }, body }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const before = existing(await lockDatabase(db, organizationId, id))
        const { description = before.description, isProtected = before.isProtected } = body
        await updateDatabase(db, organizationId, id, { description, isProtected })
        const diff = {
          ...(description !== before.description && {
            description: { from: before.description, to: description },
          }),
          ...(isProtected !== before.isProtected && {
            isProtected: { from: before.isProtected, to: isProtected },
          }),
        }
        if (Object.keys(diff).length > 0) {
          await act(db, caller, {
            action: 'database.update',
            class: 'update',
            diff,
            target: databaseTarget(before),
          })
        }
        return presentDatabase(existing(await findDatabase(db, organizationId, id)))
      }),

    'databases.reconnect': async ({ caller, params: { id }, body }) => {
      const { password, ...target } = parseConnection(body.connection)
      const changed = await database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const row = existing(await lockDatabase(db, organizationId, id))
        if (row.provider !== 'external') {
          throw new AppError(
            'conflict',
            `Bey runs the server of "${row.name}" itself, so its address is its own.`,
          )
        }
        if (!['connecting', 'available', 'unreachable'].includes(row.status)) {
          throw new AppError('conflict', `The database "${row.name}" is ${row.status}; its address stays.`)
        }
        if (engineFamily(row.engine) !== engineFamily(target.engine)) {
          throw new AppError(
            'conflict',
            `"${row.name}" is a ${engineLabel(row.engine)} database. Connect the ${engineLabel(target.engine)} as another one.`,
          )
        }
        const secretId = await keepPassword(parts, db, row, password, caller)
        const values = { ...target, credentialSecretId: secretId, reason: null, checkAt: parts.clock.now() }
        await moveDatabase(db, row, [row.status], 'connecting', values, parts.clock.now())
        await act(db, caller, {
          action: 'database.reconnect',
          class: 'update',
          diff: { host: target.host, port: target.port, tls: target.tls },
          target: databaseTarget(row),
        })
        return presentDatabase(existing(await findDatabase(db, organizationId, id)))
      })
      parts.lookNow()
      return changed
    },

    'databases.provision': operation('create'),
    'databases.restart': operation('restart'),
    'databases.hibernate': operation('hibernate'),
    'databases.resume': operation('resume'),
    'databases.references': ({ caller, params }) => operations.references(caller.organizationId, params.id),
    'databases.delete': ({ caller, params, query: { finalBackup } }) =>
      operations.remove(params.id, caller, finalBackup && finalBackup === 'true'),
  }
}

/** Stores the password of a new connection in the secret of the database, or makes that secret. */
async function keepPassword(
  { credentials }: DatabaseServiceParts,
  db: Db,
  row: DatabaseRow,
  password: string | null,
  caller: Who,
): Promise<string | null> {
  if (password === null) return null
  const { credentialSecretId, name } = row
  if (credentialSecretId === null) {
    const secret = { name: credentialName(name), description: `Password of the database ${name}.`, password }
    return credentials.create(db, secret, caller)
  }
  await credentials.replace(db, credentialSecretId, password, 'The connection was changed', caller)
  return credentialSecretId
}

async function testConnection({ providers, clock }: DatabaseServiceParts, target: ExternalTarget) {
  const begunMs = clock.monotonicMs()
  const durationMs = () => Math.round(clock.monotonicMs() - begunMs)
  try {
    const measured = await measureExternal(providers, target, null, clock.now())
    const { engine, version, figures, notes, isEncrypted } = measured
    return {
      isReachable: true,
      engine,
      problem: null,
      version,
      sizeBytes: figures.sizeBytes,
      maxConnections: figures.maxConnections,
      durationMs: durationMs(),
      isEncrypted,
      notes,
    }
  } catch (error) {
    return {
      isReachable: false,
      engine: target.engine,
      problem: problemText(error),
      version: null,
      sizeBytes: null,
      maxConnections: null,
      durationMs: durationMs(),
      isEncrypted: null,
      notes: [],
    }
  }
}
