import { isDeepStrictEqual } from 'node:util'

import { metricSourceLimits as limits, type MetricSourceTarget, type Role } from '@bey/contract'

import { act } from '../../../platform/act.ts'
import type { Refusals } from '../../../platform/audit/refusals.ts'
import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { lockUntilCommit } from '../../../platform/db/locks.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { countRefusedAddress } from '../../../platform/http/refusals.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'
import { openSource, type SourceParts } from './open-source.ts'
import { existingSource, presentSource } from './present-source.ts'
import type { SourceQueries } from './source-queries.ts'
import {
  countAlertsOver,
  deleteSource,
  findSource,
  insertSource,
  listSources,
  lockSource,
  updateSource,
} from './source-rows.ts'

type Names = `metrics.sources.${'list' | 'create' | 'update' | 'delete' | 'test' | 'check' | 'catalog'}`

type Parts = SourceParts & {
  database: Pick<Database, 'withTenant' | 'readTenant'>
  clock: Clock
  refusals: Refusals
  queries: SourceQueries
}

/** Prometheus-compatible stores of an organization. Their secrets stay in the Secrets service and are never answered. */
export function sourceHandlers(parts: Parts): Handlers<Names> {
  const { database, clock, queries } = parts

  const load = async (db: Db, organizationId: number, id: string) =>
    presentSource(existingSource(await findSource(db, organizationId, id)))

  /** What is wrong with a store as a sentence; null where it answers as Prometheus does. */
  async function problemOf(organizationId: number, target: MetricSourceTarget): Promise<string | null> {
    try {
      const client = await openSource(parts, organizationId, target)
      await client.check()
      return null
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return error.message
    }
  }

  async function tested(organizationId: number, target: MetricSourceTarget) {
    const begunMs = clock.monotonicMs()
    const problem = await problemOf(organizationId, target)
    return { problem, durationMs: Math.round(clock.monotonicMs() - begunMs) }
  }

  /** Throws `invalid_request` for what does not work, unless it is to be stored all the same. */
  async function testedFirst(organizationId: number, target: MetricSourceTarget, isUntested: boolean) {
    const { problem } = await tested(organizationId, target)
    if (problem === null || isUntested) return { problem, testedAt: clock.now() }
    throw new AppError('invalid_request', `The test failed: ${problem}`, {
      errors: [{ path: 'target', message: problem }],
    })
  }

  return {
    'metrics.sources.list': ({ caller: { organizationId } }) =>
      database.readTenant(organizationId, async (db) => ({
        sources: (await listSources(db, organizationId)).map(presentSource),
      })),

    'metrics.sources.create': async ({ caller, body: { name, target, isUntested } }) => {
      const { organizationId } = caller
      requireAllowed(parts, caller, target)
      const state = await testedFirst(organizationId, target, isUntested)
      return orNameTaken(name, () =>
        database.withTenant(organizationId, async (db) => {
          await lockUntilCommit(db, 'metricSourceCount', organizationId)
          if ((await listSources(db, organizationId)).length >= limits.perOrganization) {
            throw new AppError(
              'limit_reached',
              `An organization has at most ${limits.perOrganization} data sources. Delete one that is not used any more.`,
            )
          }
          const id = uuidv7()
          await insertSource(db, { ...state, id, organizationId, name, target, createdBy: caller.user.id })
          await act(db, caller, {
            action: 'metric_source.create',
            class: 'create',
            target: targetOf(id, name),
            diff: { target },
          })
          return keepReply(db, await load(db, organizationId, id))
        }),
      )
    },

    'metrics.sources.update': async ({ caller, params: { id }, body: { name, isUntested, ...given } }) => {
      const { organizationId } = caller
      const known = existingSource(
        await database.readTenant(organizationId, (db) => findSource(db, organizationId, id)),
      )
      // Where it leads as before it is not tested again: another name is stored while it is away as well.
      const target = isDeepStrictEqual(given.target, known.target) ? undefined : given.target
      if (target !== undefined) requireAllowed(parts, caller, target)
      const state = target && (await testedFirst(organizationId, target, isUntested))
      return orNameTaken(name ?? '', () =>
        database.withTenant(organizationId, async (db) => {
          const before = existingSource(await lockSource(db, organizationId, id))
          await updateSource(db, organizationId, id, {
            ...(name !== undefined && { name }),
            ...(target !== undefined && { target, ...state }),
          })
          await act(db, caller, {
            action: 'metric_source.update',
            class: 'update',
            target: targetOf(id, name ?? before.name),
            diff: {
              ...(name !== undefined && name !== before.name && { name: { from: before.name, to: name } }),
              ...(target !== undefined && { target: { from: before.target, to: target } }),
            },
          })
          return load(db, organizationId, id)
        }),
      )
    },

    'metrics.sources.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const row = existingSource(await lockSource(db, organizationId, id))
        const used = await countAlertsOver(db, organizationId, id)
        if (used > 0) {
          throw new AppError(
            'conflict',
            `${used === 1 ? 'An alert reads' : `${used} alerts read`} "${row.name}". Delete ${used === 1 ? 'it' : 'them'}, or let ${used === 1 ? 'it' : 'them'} read another data source first.`,
          )
        }
        await deleteSource(db, organizationId, id)
        await act(db, caller, {
          action: 'metric_source.delete',
          class: 'delete',
          target: targetOf(id, row.name),
          diff: { target: row.target },
        })
        return null
      }),

    'metrics.sources.test': ({ caller, body: { target } }) => {
      requireAllowed(parts, caller, target)
      return tested(caller.organizationId, target)
    },

    'metrics.sources.check': async ({ caller: { organizationId }, params: { id } }) => {
      const row = existingSource(
        await database.readTenant(organizationId, (db) => findSource(db, organizationId, id)),
      )
      const result = await tested(organizationId, row.target)
      return database.withTenant(organizationId, async (db) => {
        await updateSource(db, organizationId, id, { problem: result.problem, testedAt: clock.now() })
        return keepReply(db, result)
      })
    },

    'metrics.sources.catalog': ({ caller: { organizationId }, params: { id } }) =>
      queries.catalog(organizationId, id),
  }
}

/**
 * Throws `forbidden` for a secret that the caller may not reveal, because it is sent to an address of their choice, and
 * `invalid_request` for an address that is refused by how it is written; names are checked as they are used.
 */
function requireAllowed(
  { outbound, refusals }: Parts,
  caller: TenantCaller & { role: Role },
  target: MetricSourceTarget,
): void {
  if (target.kind === 'cluster') {
    const reason = whyNotNow(caller.role, 'clusters.read')
    if (reason !== undefined) throw new AppError('forbidden', reason)
    return
  }
  if (target.auth.kind !== 'none') {
    const reason = whyNotNow(caller.role, 'secrets.reveal')
    if (reason !== undefined) throw new AppError('forbidden', reason)
  }
  const { hostname } = new URL(target.url)
  const refusal = outbound.refusalOfHost(hostname)
  if (!refusal) return
  const message = `${refusal.message}. Use another address.`
  countRefusedAddress(refusals, caller, { type: 'metric-source', name: hostname }, `${refusal.message}.`)
  throw new AppError('invalid_request', message, { errors: [{ path: 'target.url', message }] })
}

const targetOf = (id: string, name: string) => ({ type: 'metric-source', id, name }) as const

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'metric_sources_name_key') throw error
    throw new AppError('name_taken', `A data source named "${name}" exists already. Choose another name.`, {
      cause: error,
    })
  }
}
