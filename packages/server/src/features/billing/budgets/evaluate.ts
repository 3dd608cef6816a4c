import type { BudgetMessage, BudgetMessageType } from '@bey/contract'
import { type BudgetState, type BudgetThreshold, judgeBudget } from '@bey/contract/billing/budget-states'

import { act, serverItself } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { enqueue, messageOf } from '../../../platform/webhooks/enqueue.ts'
import type { Notify } from '../../notifications/rules/notify.ts'
import { decimalOf, decimalText } from '../../../platform/decimal.ts'
import { dayOfAmount, measureBudget, openCurrentMonth } from './measure.ts'
import { shareOf } from './present.ts'
import { type BudgetRow, lockBudget, ownersOf, updateBudget } from './store.ts'
import { moneyText, standingText } from './words.ts'

const budgetsHref = '/workspaces/settings/billing?tab=budgets'

/**
 * Looks at a budget and moves it, in the caller's transaction and under the lock of its row, so that of two processes one
 * notifies. Does nothing where the budget is gone or cannot be compared with the prices.
 */
export async function evaluateBudget(
  db: Db,
  { notify }: { notify: Notify },
  { organizationId, id, now }: { organizationId: number; id: string; now: Date },
): Promise<void> {
  const row = await lockBudget(db, organizationId, id)
  if (row === undefined) return
  const current = await openCurrentMonth(db, organizationId, now)
  const measured = await measureBudget(current, row)
  if (measured === undefined) return
  const { after, path, reached } = judgeBudget(
    { ...row, sinceMs: row.stateSince.getTime() },
    {
      action: row.action,
      month: current.name,
      share: shareOf(measured.spent, decimalOf(row.amount)),
      nowMs: now.getTime(),
    },
  )
  const moved = {
    state: after.state,
    stateSince: new Date(after.sinceMs),
    month: after.month,
    reached: after.reached,
    liftedMonth: after.liftedMonth,
  }
  if (path.length === 0 && reached.length === 0 && row.month === after.month) return
  await updateBudget(db, organizationId, id, moved)
  if (path.length === 0 && reached.length === 0) return
  const owners = await ownersOf(db, organizationId)
  const reach = dayOfAmount(measured, decimalOf(row.amount))
  const text = standingText({ ...row, ...moved }, measured, {
    reach,
    ownerCount: owners.length,
    timeZone: current.books.timeZone,
  })
  const say = (type: BudgetMessageType, title: string) =>
    tell(db, notify, {
      row: { ...row, ...moved },
      type,
      title,
      text,
      spent: decimalText(measured.spent),
      concerned: owners.map((owner) => owner.id),
    })
  // Only the highest: whoever reads that 100 % is reached needs no notice of 80.
  const highest = reached.at(-1)
  if (highest !== undefined) await say('budget.reached', reachedTitle(row, highest))
  if (path.includes('enforced')) await say('budget.paused', `${row.name} pauses new runs`)
  if (row.state === 'enforced' && after.state !== 'enforced')
    await say('budget.resumed', `${row.name} lets new runs start again`)
  if (path.length > 0) {
    await act(db, serverItself(organizationId), {
      action: 'budget.move',
      class: 'update',
      target: { type: 'budget', id, name: row.name },
      diff: { state: [row.state, after.state], percent: after.reached },
    })
  }
}

function reachedTitle({ name, amount, currency }: BudgetRow, percent: BudgetThreshold): string {
  return `${name} has reached ${percent} % of ${moneyText(amount, currency)}`
}

type Told = {
  row: BudgetRow & { state: BudgetState }
  type: BudgetMessageType
  title: string
  text: string
  spent: string
  concerned: readonly number[]
}

/** Notifies owners, and whoever has a rule for it, and sends the webhooks. */
export async function tell(
  db: Db,
  notify: Notify,
  { row, type, title, text, spent, concerned }: Told,
): Promise<void> {
  const { organizationId, id, name, state, amount, currency, month, reached } = row
  await notify(db, {
    organizationId,
    kind: 'budget',
    event: type === 'budget.reached' ? 'budget.reached' : 'budget.paused',
    level:
      type === 'budget.resumed'
        ? 'success'
        : type === 'budget.paused' || reached === 100
          ? 'error'
          : reached === 80
            ? 'warning'
            : 'info',
    title,
    detail: text,
    href: budgetsHref,
    subject: { type: 'budget', id, name },
    concerned: [...concerned],
  })
  const message: BudgetMessage = { budgetId: id, name, state, month, amount, spent, currency, text }
  await enqueue(db, [messageOf(organizationId, type, message)])
}
