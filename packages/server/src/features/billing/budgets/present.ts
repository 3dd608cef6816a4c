import type { Budget } from '@bey/contract'
import { budgetGraceMs, budgetThresholds } from '@bey/contract/billing/budget-states'

import type { Db } from '../../../platform/db/database.ts'
import { presentPerson } from '../../../platform/present-actor.ts'
import { approximately, decimalOf, decimalText, times } from '../../../platform/decimal.ts'
import { type CurrentMonth, dayOfAmount, measureBudget } from './measure.ts'
import { type BudgetRow, scopeName } from './store.ts'
import { scopeText, standingText } from './words.ts'

/** A budget as of the current month. */
export async function presentBudget(
  db: Db,
  current: CurrentMonth,
  row: BudgetRow,
  ownerCount: number,
): Promise<Budget> {
  const measured = await measureBudget(current, row)
  const amount = decimalOf(row.amount)
  const name =
    row.scopeBy === 'cluster' || row.scopeBy === 'owner'
      ? await scopeName(db, row.organizationId, row.scopeBy, row.scopeKey)
      : undefined
  const thresholds = budgetThresholds.flatMap((percent) => {
    const day = measured && dayOfAmount(measured, times(amount, decimalOf(String(percent / 100))))
    return day === undefined ? [] : [{ percent, ...day }]
  })
  const reach = thresholds.find(({ percent }) => percent === 100)
  const pausesMs = row.stateSince.getTime() + (row.state === 'grace' ? budgetGraceMs : 0)
  return {
    id: row.id,
    name: row.name,
    amount: decimalText(amount, 2),
    currency: row.currency,
    scope: { by: row.scopeBy, key: row.scopeKey },
    scopeText: scopeText(row, name),
    action: row.action,
    state: row.state,
    stateSince: row.stateSince.toISOString(),
    month: current.name,
    spent: measured ? decimalText(measured.spent) : null,
    percent: measured ? shareOf(measured.spent, amount) * 100 : null,
    forecast: measured?.forecast.state === 'ready' ? measured.forecast.amount : null,
    thresholds,
    text: standingText(row, measured, { reach, ownerCount, timeZone: current.books.timeZone }),
    isLifted: row.liftedMonth === current.name,
    pausesAt: row.state === 'grace' || row.state === 'enforced' ? new Date(pausesMs).toISOString() : null,
    createdBy:
      row.createdBy === null ? null : presentPerson(row.createdBy, row.createdByName, row.createdByEmail),
    version: row.version,
  }
}

/** Spend as a share of the amount; below 1 as long as it is below to the last digit. */
export function shareOf(spent: bigint, amount: bigint): number {
  const share = approximately(spent) / approximately(amount)
  return spent < amount ? Math.min(share, 1 - Number.EPSILON) : Math.max(1, share)
}
