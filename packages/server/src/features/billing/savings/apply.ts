import type { HandlerOutput, ParsedInput } from '@bey/contract'

import { act, type Member } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { lockUntilCommit } from '../../../platform/db/locks.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import type { Clusters } from '../../clusters/service.ts'
import type { Kubernetes } from '../../kubernetes/feature.ts'
import { measureBudget, openCurrentMonth } from '../budgets/measure.ts'
import type { BillingParts } from '../parts.ts'
import { stateOf } from './applied-state.ts'
import { insertApplied, listApplied, updateApplied } from './applied-store.ts'
import type { FoundSaving, SavingPlan } from './facts.ts'
import { perDayOf } from './forecast-effect.ts'
import { readSavings } from './read.ts'

/** How savings reach clusters: in the name of the person, so that the roles of the cluster decide. */
export type SavingActs = Pick<Kubernetes, 'patchAs' | 'prepareNodeRemoval'> & Pick<Clusters, 'addNode'>

type Reply = HandlerOutput<'savings.apply'>
type Planned = FoundSaving & { plan: SavingPlan; clusterId: number }

export function createSavingActs(parts: BillingParts, acts: SavingActs) {
  const { database, clock } = parts

  return {
    /**
     * Makes the change of a saving, or tries it. Throws AppError `not_found` for a saving that is no longer measured, and
     * `conflict` where a person makes the change or it is under way.
     */
    async apply(caller: Member, { id, isDryRun }: ParsedInput<'savings.apply'>['body']): Promise<Reply> {
      const { savings, currency } = await readSavings(parts, caller)
      const saving = plannedOf(savings.find((each) => each.id === id))
      const reply = {
        isDryRun,
        text: saving.change.text,
        changes: saving.plan.kind === 'patch' ? saving.plan.changes : [],
        forecast: await database.readTenant(caller.organizationId, (db) =>
          forecastChange(db, caller.organizationId, saving, clock.now()),
        ),
      }
      return saving.plan.kind === 'patch'
        ? applyPatch(caller, saving, saving.plan, { ...reply, run: null }, currency)
        : removeNode(caller, saving, saving.plan.node, reply, currency)
    },

    /** Takes an applied saving back. Throws AppError `not_found`, and `conflict` for one that is not applied. */
    async undo(caller: Member, id: string): Promise<HandlerOutput<'savings.undo'>> {
      const { organizationId } = caller
      const undone = await database.withTenant(organizationId, async (db) => {
        const row = await lockedApplied(db, organizationId, id)
        const { state, text } = stateOf(row, clock.now().getTime())
        if (state !== 'applied') throw new AppError('conflict', `"${row.title}" is not applied. ${text}`)
        const target = { type: 'cluster', id: row.clusterId, name: row.title }
        const { change } = row
        if (change.kind === 'patch') {
          await act(db, caller, { action: 'saving.undo', class: 'update', target, outcome: 'unknown' })
          return { kind: 'patch' as const, change, row }
        }
        const run = await acts.addNode(db, caller, row.clusterId, change.group)
        await updateApplied(db, organizationId, id, { undoRunId: run.runId })
        await act(db, caller, {
          action: 'saving.undo',
          class: 'update',
          target,
          outcome: 'unknown',
          runId: run.runId,
          diff: { group: change.group },
        })
        return {
          kind: 'run' as const,
          reply: await keepReply(db, {
            text: `A node is being added to the group ${change.group}.`,
            run: { workflowId: run.workflowId, runId: run.runId },
          }),
        }
      })
      if (undone.kind === 'run') return undone.reply
      const { change, row } = undone
      const { clusterId } = row
      await acts.patchAs(caller, { clusterId, path: change.path, patch: change.undo, isDryRun: false })
      return database.withTenant(organizationId, async (db) => {
        await updateApplied(db, organizationId, id, { undoneAt: clock.now() })
        return keepReply(db, { text: 'The requests are as they were before.', run: null })
      })
    },
  }

  async function applyPatch(
    caller: Member,
    saving: Planned,
    plan: Extract<SavingPlan, { kind: 'patch' }>,
    reply: Reply,
    currency: string,
  ): Promise<Reply> {
    const { organizationId } = caller
    const patch = { clusterId: saving.clusterId, path: plan.path, patch: plan.patch }
    // Tried first: what the cluster refuses leaves no trace of an attempt.
    await acts.patchAs(caller, { ...patch, isDryRun: true })
    if (reply.isDryRun) return reply
    const { path, undo } = plan
    const id = await database.withTenant(organizationId, (db) =>
      insertOnce(db, caller, saving, { currency, change: { kind: 'patch', path, undo } }),
    )
    try {
      await acts.patchAs(caller, { ...patch, isDryRun: false })
    } catch (error) {
      if (error instanceof AppError)
        await database.withTenant(organizationId, (db) =>
          updateApplied(db, organizationId, id, { error: error.message }),
        )
      throw error
    }
    return database.withTenant(organizationId, async (db) => {
      await updateApplied(db, organizationId, id, { patchedAt: clock.now() })
      return keepReply(db, reply)
    })
  }

  async function removeNode(
    caller: Member,
    saving: Planned,
    node: string,
    reply: Omit<Reply, 'run'>,
    currency: string,
  ): Promise<Reply> {
    const removal = await acts.prepareNodeRemoval(caller, saving.clusterId, node)
    if (reply.isDryRun) return { ...reply, run: null }
    return database.withTenant(caller.organizationId, async (db) => {
      const { workflowId, runId } = await removal.start(db)
      const change = { kind: 'node', node, group: removal.group } as const
      await insertOnce(db, caller, saving, { currency, change, runId })
      return keepReply(db, { ...reply, run: { workflowId, runId } })
    })
  }

  /** Records that a saving is being applied, with its audit entry. Throws AppError `conflict` where it is already. */
  async function insertOnce(
    db: Db,
    caller: Member,
    saving: Planned,
    of: Pick<Parameters<typeof insertApplied>[1], 'currency' | 'change' | 'runId'>,
  ): Promise<string> {
    const { organizationId } = caller
    const now = clock.now()
    await lockUntilCommit(db, 'appliedSavings', organizationId)
    for (const row of await listApplied(db, organizationId)) {
      if (row.savingId === saving.id && stateOf(row, now.getTime()).state === 'applying')
        throw new AppError('conflict', `"${saving.title}" is being applied already.`)
    }
    const id = uuidv7()
    const { kind, title, amount, isDirect, clusterId } = saving
    const row = { id, organizationId, savingId: saving.id, kind, title, amount, isDirect, clusterId }
    await insertApplied(db, {
      ...row,
      ...of,
      text: saving.plan.text,
      appliedBy: caller.user.id,
      appliedAt: now,
    })
    await act(db, caller, {
      action: 'saving.apply',
      class: 'update',
      target: { type: 'cluster', id: clusterId, name: saving.resourceName },
      // The cluster has not done it yet.
      outcome: 'unknown',
      ...(of.runId != null && { runId: of.runId }),
      diff: { saving: title, amount, currency: of.currency },
    })
    return id
  }
}

async function lockedApplied(db: Db, organizationId: number, id: string) {
  await lockUntilCommit(db, 'appliedSavings', organizationId)
  const [row] = await listApplied(db, organizationId, id)
  if (row === undefined)
    throw new AppError('not_found', 'This saving was not applied in this organization in the last 60 days.')
  return row
}

function plannedOf(saving: FoundSaving | undefined): Planned {
  if (saving === undefined)
    throw new AppError(
      'not_found',
      'This saving is no longer found in the measurements. Read the list again.',
    )
  const { plan, clusterId } = saving
  if (plan === null || clusterId === null)
    throw new AppError('conflict', saving.change.refusal ?? 'A person makes this change.')
  return { ...saving, plan, clusterId }
}

/** The forecast of everything in this month, without and with the change. */
async function forecastChange(
  db: Db,
  organizationId: number,
  { isDirect, amount, title }: FoundSaving,
  now: Date,
): Promise<Reply['forecast']> {
  if (!isDirect) return null
  const current = await openCurrentMonth(db, organizationId, now)
  const { currency } = current.books
  const everything = { scopeBy: 'all', scopeKey: '', currency } as const
  const step = { atMs: now.getTime(), perDay: perDayOf(amount), text: title }
  const before = await measureBudget(current, everything)
  const after = await measureBudget(current, everything, [step])
  if (before?.forecast.state !== 'ready' || after?.forecast.state !== 'ready') return null
  return { before: before.forecast.amount, after: after.forecast.amount, currency }
}
