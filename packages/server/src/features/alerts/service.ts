import type { Alert, ParsedInput } from '@bey/contract'
import { alertBounds, alertStates } from '@bey/contract/alerts/rules'

import { act, type Act } from '../../platform/act.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { lockUntilCommit } from '../../platform/db/locks.ts'
import { AppError } from '../../platform/errors.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { noFacts, readFacts } from './facts.ts'
import { readNotified } from './notified.ts'
import { sendNotice, testNotice } from './notices.ts'
import type { AlertParts } from './parts.ts'
import { presentAlert, presentEpisode, presentInstance } from './present.ts'
import { alertReplayer } from './replay.ts'
import { createCountReplay } from './replay-counts.ts'
import {
  acknowledgeEpisodes,
  type AlertRow,
  allAlerts,
  clearSilence,
  countAlerts,
  countEpisodes,
  deleteAlert,
  findAlert,
  insertAlert,
  listEpisodes,
  lockAlert,
  markActedOn,
  resolveEpisodes,
  updateAlert,
  updateEvaluation,
} from './store.ts'
import { keyOf } from './series-key.ts'
import { suggestAlerts } from './suggestions.ts'
import { requireExpression } from './require-expression.ts'
import { requireMember } from './require-member.ts'

type Names = `alerts.${
  | 'list'
  | 'suggestions'
  | 'get'
  | 'create'
  | 'update'
  | 'delete'
  | 'acknowledge'
  | 'silence'
  | 'unsilence'
  | 'replay'
  | 'history'
  | 'test'}`

const groupOrder: readonly Alert['group'][] = [
  'firing',
  'warning',
  'no_data',
  'pending',
  'silenced',
  'quiet',
  'off',
]

/** Alerts of an organization. What is not the organization's is `not_found`. */
export function alertHandlers(parts: AlertParts): Handlers<Names> {
  const { database, clock, notify } = parts
  const replayDraft = alertReplayer(parts)
  const replayCounts = createCountReplay(parts)

  async function read(db: Db, organizationId: number, id: string): Promise<Alert> {
    const row = found(await findAlert(db, organizationId, id))
    const facts = await readFacts(db, organizationId, clock.now(), id)
    return presentAlert(row, facts.get(id) ?? noFacts, clock.now())
  }

  /** Changes a locked alert, and says so unless nothing became another. */
  function change(
    caller: Parameters<typeof act>[1],
    id: string,
    work: (db: Db, row: AlertRow) => Promise<Omit<Act, 'target'> | undefined>,
  ): Promise<Alert> {
    const { organizationId } = caller
    return database.withTenant(organizationId, async (db) => {
      const row = found(await lockAlert(db, organizationId, id))
      const done = await work(db, row)
      const after = await read(db, organizationId, id)
      if (done) await act(db, caller, { ...done, target: targetOf(id, after.name) })
      return after
    })
  }

  return {
    'alerts.list': ({ caller: { organizationId }, query }) =>
      database.readTenant(organizationId, async (db) => {
        const now = clock.now()
        const facts = await readFacts(db, organizationId, now)
        const rows = await allAlerts(db, organizationId)
        return listOf(
          rows.map((row) => presentAlert(row, facts.get(row.id) ?? noFacts, now)),
          query,
        )
      }),

    'alerts.suggestions': async ({ caller }) => {
      const { organizationId } = caller
      const rows = await database.readTenant(organizationId, (db) => allAlerts(db, organizationId))
      const suggestions = await suggestAlerts(parts, caller)
      const isTaken = (expr: string) => rows.some((row) => row.expr === expr)
      return { suggestions: suggestions.filter(({ expr }) => !isTaken(expr)) }
    },

    'alerts.get': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, async (db) => {
        const row = found(await findAlert(db, organizationId, id))
        const instances = row.instances
          .toSorted((a, b) => alertStates.indexOf(a.state) - alertStates.indexOf(b.state))
          .map(presentInstance)
        return { ...(await read(db, organizationId, id)), instances }
      }),

    'alerts.create': async ({ caller, body }) => {
      await requireExpression(parts, caller, body)
      return orNameTaken(body.name, () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { organizationId, user } = caller
          const id = uuidv7()
          const { ownerId = user.id, ...rule } = body
          await lockUntilCommit(db, 'alertCount', organizationId)
          if ((await countAlerts(db, organizationId)) >= alertBounds.perOrganization)
            throw new AppError(
              'limit_reached',
              `An organization has at most ${alertBounds.perOrganization} alerts. Delete one first.`,
            )
          await requireMember(db, organizationId, ownerId)
          await insertAlert(db, { ...rule, ownerId, id, organizationId, createdBy: user.id })
          await act(db, caller, { action: 'alert.create', class: 'create', target: targetOf(id, body.name) })
          return keepReply(db, await read(db, organizationId, id))
        }),
      )
    },

    'alerts.update': async ({ caller, params: { id }, body }) => {
      const { version, ...values } = body
      if (body.expr !== undefined || body.source !== undefined || body.condition !== undefined) {
        const { organizationId } = caller
        const row = await database.readTenant(organizationId, (db) => findAlert(db, organizationId, id))
        await requireExpression(parts, caller, { ...found(row), ...definedOf(values) })
      }
      return orNameTaken(body.name ?? '', () =>
        change(caller, id, async (db, row) => {
          const { organizationId } = caller
          if (row.rowVersion !== version)
            throw new AppError(
              'conflict',
              `Somebody changed "${row.name}" meanwhile. Read it again, so that their change is not lost, and repeat yours.`,
            )
          if (values.ownerId !== undefined && values.ownerId !== row.ownerId)
            await requireMember(db, organizationId, values.ownerId)
          const diff = diffOf(row, values)
          if (Object.keys(diff).length === 0) return undefined
          await updateAlert(db, organizationId, id, values)
          if (isOtherRule(row, values)) {
            // What the old rule found says nothing about the new one.
            const now = clock.now()
            await resolveEpisodes(db, organizationId, id, now)
            await updateEvaluation(db, organizationId, id, {
              instances: [],
              counts: [],
              error: null,
              evaluatedToMs: null,
              gapFrom: null,
              gapTo: null,
              checkAt: (values.isEnabled ?? row.isEnabled) ? now : null,
            })
          }
          return { action: 'alert.update', class: 'update', diff }
        }),
      )
    },

    'alerts.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = found(await lockAlert(db, caller.organizationId, id))
        await deleteAlert(db, caller.organizationId, id)
        await act(db, caller, { action: 'alert.delete', class: 'delete', target: targetOf(id, row.name) })
        return null
      }),

    'alerts.acknowledge': ({ caller, params: { id } }) =>
      change(caller, id, async (db, row) => {
        const by = { userId: caller.user.id, at: clock.now() }
        if ((await acknowledgeEpisodes(db, caller.organizationId, id, by)) === 0)
          throw new AppError('conflict', `"${row.name}" does not fire, so there is nothing to take over.`)
        return { action: 'alert.acknowledge', class: 'update' }
      }),

    'alerts.silence': ({ caller, params: { id }, body }) =>
      change(caller, id, async (db) => {
        const { organizationId, user } = caller
        const now = clock.now()
        const until = new Date(body.until)
        if (until <= now)
          throw new AppError(
            'invalid_request',
            'The end of a silence lies in the future. Choose a later one.',
          )
        if (until.getTime() - now.getTime() > alertBounds.maxSilenceMs)
          throw new AppError(
            'invalid_request',
            'An alert can be silent for up to 30 days. Choose an earlier end, or switch the alert off.',
          )
        await updateAlert(db, organizationId, id, {
          silencedUntil: until,
          silenceReason: body.reason,
          silencedBy: user.id,
        })
        await markActedOn(db, organizationId, id, now)
        return {
          action: 'alert.silence',
          class: 'update',
          diff: { silencedUntil: until.toISOString(), reason: body.reason },
        }
      }),

    'alerts.unsilence': ({ caller, params: { id } }) =>
      change(caller, id, async (db) => {
        await clearSilence(db, caller.organizationId, id)
        return { action: 'alert.unsilence', class: 'update' }
      }),

    'alerts.replay': ({ caller, body }) =>
      body.source === 'resources' ? replayCounts(caller, body) : replayDraft(caller, body),

    'alerts.history': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, async (db) => {
        found(await findAlert(db, organizationId, id))
        return {
          episodes: (await listEpisodes(db, organizationId, id, 200)).map(presentEpisode),
          total: await countEpisodes(db, organizationId, id),
          notified: await readNotified(db, organizationId, id),
        }
      }),

    'alerts.test': async ({ caller, params: { id } }) => {
      const { organizationId } = caller
      return database.withTenant(organizationId, async (db) => {
        const row = found(await findAlert(db, organizationId, id))
        const names = await sendNotice(db, notify, testNotice(row), clock.now())
        await act(db, caller, { action: 'alert.test', class: 'update', target: targetOf(id, row.name) })
        return keepReply(db, { names: names.slice(0, 200) })
      })
    },
  }
}

function listOf(all: Alert[], query: ParsedInput<'alerts.list'>['query']) {
  const { search, group, owner, ignored, page, limit } = query
  const isIgnored = ({ firedCount, actedOnCount }: Alert) => firedCount > 0 && actedOnCount === 0
  const asked = all
    .filter(
      (each) =>
        (search === undefined || each.name.toLowerCase().includes(search.toLowerCase())) &&
        (group === undefined || each.group === group) &&
        (owner === undefined || each.ownerId === owner) &&
        (ignored === undefined || isIgnored(each)),
    )
    .toSorted((a, b) => groupOrder.indexOf(a.group) - groupOrder.indexOf(b.group))
  const sum = (of: (each: Alert) => number) => all.reduce((total, each) => total + of(each), 0)
  const counted = (name: Alert['group']) => all.filter((each) => each.group === name).length
  return {
    alerts: asked.slice((page - 1) * limit, page * limit),
    total: asked.length,
    page,
    limit,
    counts: {
      firing: counted('firing'),
      warning: counted('warning'),
      no_data: counted('no_data'),
      pending: counted('pending'),
      silenced: counted('silenced'),
      quiet: counted('quiet'),
      off: counted('off'),
    },
    firedCount: sum(({ firedCount }) => firedCount),
    actedOnCount: sum(({ actedOnCount }) => actedOnCount),
    ignoredCount: all.filter(isIgnored).length,
  }
}

const definedOf = ({
  expr,
  source,
  condition,
}: Partial<Pick<AlertRow, 'expr' | 'source' | 'condition'>>) => ({
  ...(expr !== undefined && { expr }),
  ...(source !== undefined && { source }),
  ...(condition !== undefined && { condition }),
})

type Values = Partial<Pick<AlertRow, 'source' | 'expr' | 'condition' | 'forMs' | 'isEnabled'>>

/** Whether it is judged otherwise from now on. */
function isOtherRule(row: AlertRow, { source, expr, condition, forMs, isEnabled }: Values): boolean {
  return (
    (source !== undefined && source !== row.source) ||
    (expr !== undefined && expr !== row.expr) ||
    (forMs !== undefined && forMs !== row.forMs) ||
    (isEnabled !== undefined && isEnabled !== row.isEnabled) ||
    (condition !== undefined && keyOf(condition) !== keyOf(row.condition))
  )
}

function diffOf(row: AlertRow, values: object): Record<string, unknown> {
  const before: Record<string, unknown> = { ...row }
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, to]) =>
      textOf(before[key]) === textOf(to) ? [] : [[key, { from: before[key], to }]],
    ),
  )
}

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? keyOf(value) : JSON.stringify(value)

function found<T>(row: T | undefined): T {
  if (row !== undefined) return row
  throw new AppError('not_found', 'There is no such alert in this organization.')
}

const targetOf = (id: string, name: string) => ({ type: 'alert', id, name }) as const

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'alerts_name_key') throw error
    throw new AppError('name_taken', `An alert named "${name}" exists already. Choose another name.`, {
      cause: error,
    })
  }
}
