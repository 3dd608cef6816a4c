import { backupTargetLimits as limits, type ParsedInput } from '@bey/contract'

import { act } from '../../../platform/act.ts'
import type { Refusals } from '../../../platform/audit/refusals.ts'
import { BackupStoreProblem } from '../../../platform/backups/backup-store-problem.ts'
import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { countRefusedAddress } from '../../../platform/http/refusals.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { BucketAccess } from './backup-places.ts'
import { accessOf, objectKeys, type StoreParts, targetContext } from './open-store.ts'
import { existingTarget, presentTarget, sumOf } from './present-target.ts'
import {
  deleteTarget,
  findTarget,
  insertTarget,
  listTargets,
  listTargetUses,
  lockTarget,
  recordCheck,
  type TargetUse,
  updateTarget,
} from './target-rows.ts'

export type TargetParts = StoreParts & {
  clock: Clock
  outbound: Pick<Outbound, 'refusalOfHost'>
  refusals: Refusals
}

type Names = `databases.backupTargets.${'list' | 'get' | 'create' | 'update' | 'delete' | 'test' | 'check'}`
type Changes = ParsedInput<'databases.backupTargets.update'>['body']

/** Where an organization keeps backups. The secret access key of a bucket is stored sealed and never answered. */
export function targetHandlers(parts: TargetParts): Handlers<Names> {
  const { database, dataKeys, places } = parts

  const load = async (db: Db, organizationId: number, id: string) =>
    presentTarget(
      existingTarget(await findTarget(db, organizationId, id)),
      await listTargetUses(db, organizationId),
    )

  return {
    'databases.backupTargets.list': async ({ caller: { organizationId } }) => {
      const { rows, uses } = await database.readTenant(organizationId, async (db) => ({
        rows: await listTargets(db, organizationId),
        uses: await listTargetUses(db, organizationId),
      }))
      const onMachine = uses.filter(({ targetId }) => targetId === null)
      return {
        machine: {
          place: places.directory,
          freeBytes: await places.freeBytes(),
          databases: onMachine.length,
          storedBytes: sumOf(onMachine),
        },
        targets: rows.map((row) => presentTarget(row, uses)),
      }
    },

    'databases.backupTargets.get': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, (db) => load(db, organizationId, id)),

    'databases.backupTargets.create': ({ caller, body: { secretAccessKey, ...given } }) => {
      requireAllowed(parts, caller, given.endpoint)
      const { organizationId } = caller
      return orNameTaken(given.name, () =>
        database.withTenant(organizationId, async (db) => {
          if ((await listTargets(db, organizationId)).length >= limits.perOrganization) {
            throw new AppError(
              'limit_reached',
              `This organization has ${limits.perOrganization} backup targets, which is the limit. Delete one that is not used any more.`,
            )
          }
          const id = uuidv7()
          const secretSealed = await dataKeys.seal(db, organizationId, secretAccessKey, targetContext(id))
          await insertTarget(db, { ...given, id, organizationId, secretSealed, createdBy: caller.user.id })
          await act(db, caller, {
            action: 'backup_target.create',
            class: 'create',
            target: { type: 'backup-target', id, name: given.name },
            diff: given,
          })
          return keepReply(db, await load(db, organizationId, id))
        }),
      )
    },

    'databases.backupTargets.update': ({ caller, params: { id }, body }) => {
      requireAllowed(parts, caller, body.endpoint)
      const { organizationId } = caller
      return orNameTaken(body.name ?? '', () =>
        database.withTenant(organizationId, async (db) => {
          const before = existingTarget(await lockTarget(db, organizationId, id))
          const { secretAccessKey, ...plain } = body
          const diff = changesOf(before, plain)
          const uses = await usesOf(db, organizationId, id)
          if (('bucket' in diff || 'prefix' in diff) && uses.length > 0) {
            throw new AppError(
              'conflict',
              `Backups of ${namesOf(uses)} are kept in ${before.bucket}, so bucket and prefix stay. Create another target instead.`,
            )
          }
          const isReachedElse =
            secretAccessKey !== undefined || Object.keys(diff).some((field) => field !== 'name')
          await updateTarget(db, organizationId, id, {
            ...plain,
            ...(secretAccessKey !== undefined && {
              secretSealed: await dataKeys.seal(db, organizationId, secretAccessKey, targetContext(id)),
            }),
            // What a check found was found of the target as it was.
            ...(isReachedElse && { version: before.version + 1, checkedAt: null, checkProblem: null }),
          })
          if (isReachedElse || 'name' in diff) {
            await act(db, caller, {
              action: 'backup_target.update',
              class: 'update',
              target: { type: 'backup-target', id, name: body.name ?? before.name },
              diff: { ...diff, ...(secretAccessKey !== undefined && { secretAccessKeyChanged: true }) },
            })
          }
          return load(db, organizationId, id)
        }),
      )
    },

    'databases.backupTargets.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const row = existingTarget(await lockTarget(db, organizationId, id))
        const uses = await usesOf(db, organizationId, id)
        if (uses.length > 0) {
          throw new AppError(
            'conflict',
            `"${row.name}" is used by ${namesOf(uses)}. Choose another target in their policies and delete their backups there first.`,
          )
        }
        await deleteTarget(db, organizationId, id)
        await act(db, caller, {
          action: 'backup_target.delete',
          class: 'delete',
          target: { type: 'backup-target', id, name: row.name },
          diff: { bucket: row.bucket, endpoint: row.endpoint },
        })
        return null
      }),

    'databases.backupTargets.test': ({ caller, body }) => {
      requireAllowed(parts, caller, body.endpoint)
      return tryBucket(parts, caller.organizationId, body)
    },

    'databases.backupTargets.check': async ({ caller: { organizationId }, params: { id } }) => {
      const { row, access } = await database.readTenant(organizationId, async (db) => {
        const found = existingTarget(await findTarget(db, organizationId, id))
        return { row: found, access: await accessOf(parts, db, organizationId, found) }
      })
      const result = await tryBucket(parts, organizationId, access)
      return database.withTenant(organizationId, async (db) => {
        await recordCheck(db, organizationId, row, parts.clock.now(), result.problem)
        return keepReply(db, result)
      })
    },
  }
}

async function tryBucket(parts: TargetParts, organizationId: number, access: BucketAccess) {
  const begunMs = parts.clock.monotonicMs()
  const durationMs = () => Math.round(parts.clock.monotonicMs() - begunMs)
  try {
    await parts.places.inBucket(access, objectKeys(parts, organizationId)).check()
    return { isGood: true, problem: null, durationMs: durationMs() }
  } catch (error) {
    if (!(error instanceof BackupStoreProblem)) throw error
    return { isGood: false, problem: error.message, durationMs: durationMs() }
  }
}

/** Throws `invalid_request` for an endpoint that is refused by how it is written; names are checked as they are used. */
function requireAllowed(
  { outbound, refusals }: TargetParts,
  caller: TenantCaller,
  endpoint: string | null | undefined,
): void {
  if (endpoint == null) return
  const { hostname } = new URL(endpoint)
  const refusal = outbound.refusalOfHost(hostname)
  if (!refusal) return
  const message = `${refusal.message}. Use another address.`
  countRefusedAddress(refusals, caller, { type: 'backup-target', name: hostname }, `${refusal.message}.`)
  throw new AppError('invalid_request', message, { errors: [{ path: 'endpoint', message }] })
}

async function usesOf(db: Db, organizationId: number, id: string): Promise<TargetUse[]> {
  return (await listTargetUses(db, organizationId)).filter(({ targetId }) => targetId === id)
}

function namesOf(uses: readonly TargetUse[]): string {
  const names = uses.slice(0, 3).map(({ name }) => name)
  return uses.length > 3 ? `${names.join(', ')} and ${uses.length - 3} more` : names.join(', ')
}

/** Fields that get another value, with both. */
function changesOf(before: Readonly<Record<string, unknown>>, changes: Changes) {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([field, to]) =>
      to === undefined || before[field] === to ? [] : [[field, { from: before[field], to }]],
    ),
  )
}

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'backup_targets_name_key') throw error
    throw new AppError('name_taken', `A backup target named "${name}" exists already. Choose another name.`, {
      cause: error,
    })
  }
}
