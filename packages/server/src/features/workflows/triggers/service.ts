import { randomBytes } from 'node:crypto'
import type { TriggerSettings } from '@bey/contract'

import { keepReply } from '../../../platform/http/kept-reply.ts'
import { act, type Member } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { currentKey } from '../../../platform/keys/key-rights.ts'
import { canonicalJson } from '../definition/version.ts'
import { missing } from '../parts.ts'
import { findWorkflowFacts } from '../definition/facts.ts'
import { checkSettings, withScheduleErrors } from './check-settings.ts'
import { secretContext } from './hook.ts'
import type { TriggerParts } from './ports.ts'
import { presentArrival, presentTrigger, secretText } from './present.ts'
import { previewSchedule } from './schedule.ts'
import {
  countTriggers,
  deleteTrigger,
  findTrigger,
  insertTrigger,
  listArrivals,
  listTriggers,
  lockTrigger,
  lockWorkflowOfTriggers,
  updateTrigger,
} from './store.ts'

type Body = { name: string; isEnabled: boolean; settings: TriggerSettings }

const maxTriggers = 50
const overlapMs = 24 * 3_600_000
const arrivalsShown = 20

/** What starts workflows by itself: made, changed and removed by people. */
export function createTriggers(parts: TriggerParts) {
  const { database, dataKeys, clock } = parts

  async function requireRow(db: Db, organizationId: number, workflowId: string, id: string) {
    const row = await findTrigger(db, organizationId, workflowId, id)
    if (row === undefined) throw new AppError('not_found', 'This trigger does not exist in this workflow.')
    return row
  }

  function list(workflowId: string, organizationId: number) {
    return database.readTenant(organizationId, async (db) => {
      if ((await findWorkflowFacts(db, organizationId, workflowId)) === undefined) return missing('workflow')
      const rows = await listTriggers(db, organizationId, workflowId)
      return { triggers: rows.map((row) => presentTrigger(row, clock.now())) }
    })
  }

  function create(workflowId: string, body: Body, who: Member) {
    const nextAt = checkSettings(body.settings, clock.now())
    const { organizationId } = who
    return orNameTaken(body.name, () =>
      database.withTenant(organizationId, async (db) => {
        const workflow = (await lockWorkflowOfTriggers(db, organizationId, workflowId)) ?? missing('workflow')
        if (workflow.builtIn !== null) {
          throw new AppError('forbidden', `"${workflow.name}" is built in: the product itself starts it.`)
        }
        if (workflow.deletedAt !== null) {
          throw new AppError('conflict', `The workflow "${workflow.name}" is deleted. Restore it first.`)
        }
        if ((await countTriggers(db, organizationId, workflowId)) >= maxTriggers) {
          throw new AppError('conflict', `A workflow has at most ${maxTriggers} triggers.`)
        }
        const id = uuidv7()
        const secret = body.settings.type === 'webhook' ? secretText(randomBytes(24)) : null
        await insertTrigger(db, {
          id,
          organizationId,
          workflowId,
          name: body.name,
          type: body.settings.type,
          settings: body.settings,
          isEnabled: body.isEnabled,
          nextAt,
          secret: secret === null ? null : await dataKeys.seal(db, organizationId, secret, secretContext(id)),
          createdBy: who.user.id,
          keyId: currentKey()?.id ?? null,
          createdAt: clock.now(),
        })
        await act(db, who, {
          action: 'workflow_trigger.create',
          class: 'create',
          target: triggerTarget({ id, name: body.name }),
          diff: { workflow: workflow.name },
        })
        const row = await requireRow(db, organizationId, workflowId, id)
        return keepReply(db, { trigger: presentTrigger(row, clock.now()), secret })
      }),
    )
  }

  function update(workflowId: string, id: string, body: Body, who: Member) {
    const nextAt = checkSettings(body.settings, clock.now())
    const { organizationId } = who
    return orNameTaken(body.name, () =>
      database.withTenant(organizationId, async (db) => {
        const row = await requireRow(db, organizationId, workflowId, id)
        if (row.type !== body.settings.type) {
          throw new AppError('conflict', `This trigger is a ${row.type}. Make another one instead.`)
        }
        if (canonicalJson(row.settings) !== canonicalJson(body.settings)) requireOwnOfKey(row)
        const { name, isEnabled, settings } = body
        await updateTrigger(db, organizationId, id, { name, isEnabled, settings, nextAt, lastError: null })
        await act(db, who, {
          action: 'workflow_trigger.update',
          class: 'update',
          target: triggerTarget({ id, name: body.name }),
          diff: { workflow: workflowId },
        })
        const changed = await requireRow(db, organizationId, workflowId, id)
        return { trigger: presentTrigger(changed, clock.now()) }
      }),
    )
  }

  function remove(workflowId: string, id: string, who: Member) {
    const { organizationId } = who
    return database.withTenant(organizationId, async (db) => {
      const row = await requireRow(db, organizationId, workflowId, id)
      await deleteTrigger(db, organizationId, id)
      await act(db, who, {
        action: 'workflow_trigger.delete',
        class: 'delete',
        target: triggerTarget(row),
        diff: { workflow: workflowId },
      })
      return {}
    })
  }

  function rotate(workflowId: string, id: string, who: Member) {
    const { organizationId } = who
    return database.withTenant(organizationId, async (db) => {
      const row = await requireRow(db, organizationId, workflowId, id)
      if (row.keyId !== null) requireOwnOfKey(row)
      const locked = await lockTrigger(db, organizationId, id)
      if (row.type !== 'webhook' || locked === undefined) {
        throw new AppError('conflict', 'Only a webhook has a secret.')
      }
      const secret = secretText(randomBytes(24))
      await updateTrigger(db, organizationId, id, {
        secret: await dataKeys.seal(db, organizationId, secret, secretContext(id)),
        previousSecret: locked.secret,
        previousUntil: new Date(clock.now().getTime() + overlapMs),
        // A key that learns the secret chooses what the runs receive, so it bounds them.
        ...(currentKey() && { keyId: currentKey()?.id ?? null }),
      })
      await act(db, who, {
        action: 'workflow_trigger.rotate',
        class: 'update',
        target: triggerTarget(row),
        diff: { workflow: workflowId },
      })
      return keepReply(db, { trigger: presentTrigger(row, clock.now()), secret })
    })
  }

  function arrivals(workflowId: string, id: string, organizationId: number) {
    return database.readTenant(organizationId, async (db) => {
      await requireRow(db, organizationId, workflowId, id)
      const rows = await listArrivals(db, organizationId, id, arrivalsShown)
      return { arrivals: rows.map(presentArrival) }
    })
  }

  function preview(cron: string, timeZone: string) {
    const { summary, nextTimes, notes } = withScheduleErrors(
      () => previewSchedule(cron, timeZone, clock.now()),
      '',
    )
    return { summary, nextTimes: nextTimes.map((time) => time.toISOString()), notes }
  }

  return { list, create, update, remove, rotate, arrivals, preview }
}

export type Triggers = ReturnType<typeof createTriggers>

/**
 * Throws AppError `forbidden` where an API key would choose the input of runs that a trigger starts without the bounds of
 * this key.
 */
function requireOwnOfKey({ name, keyId }: { name: string; keyId: string | null }): void {
  const key = currentKey()
  if (key === undefined || key.id === keyId) return
  throw new AppError(
    'forbidden',
    `The trigger "${name}" was not made by the API key "${key.name}", and its runs are not bounded by it. Make another trigger with the key, or change this one as a person.`,
  )
}

/** A trigger as what an act was done to. */
function triggerTarget({ id, name }: { id: string; name: string }) {
  return { type: 'workflow_trigger', id, name }
}

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'workflow_triggers_name_key') throw error
    throw new AppError('name_taken', `This workflow has a trigger named "${name}" already.`, { cause: error })
  }
}
