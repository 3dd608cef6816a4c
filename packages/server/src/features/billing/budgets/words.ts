import { budgetGraceMs } from '@bey/contract/billing/budget-states'
import { usageServiceTitles, usageServices } from '@bey/contract/billing/usage-meters'

import { monthName } from '../../../platform/usage/months.ts'
import { approximately, type Decimal, decimalOf } from '../../../platform/decimal.ts'
import type { Measured } from './measure.ts'
import type { BudgetRow } from './store.ts'

/** `€7,200.00`; whole amounts of a forecast without cents. */
export function moneyText(amount: Decimal | string, currency: string, isRounded = false): string {
  const value = typeof amount === 'string' ? Number(amount) : approximately(amount)
  const digits = isRounded ? { maximumFractionDigits: 0 } : {}
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(value)
  } catch {
    // A code of three letters that no currency has.
    return `${value.toFixed(isRounded ? 0 : 2)} ${currency}`
  }
}

/** `24 November`. */
function dayWords(date: string): string {
  return `${Number(date.slice(8))} ${monthName(date.slice(0, 7))}`
}

export function scopeText(
  { scopeBy, scopeKey }: Pick<BudgetRow, 'scopeBy' | 'scopeKey'>,
  name: string | undefined,
): string {
  if (scopeBy === 'all') return 'Everything'
  if (scopeBy === 'service') {
    const service = usageServices.find((each) => each === scopeKey)
    return service === undefined ? scopeKey : usageServiceTitles[service]
  }
  if (scopeKey === 'none') return `Without ${scopeBy}`
  const shown = name ?? scopeKey
  return scopeBy === 'owner'
    ? `What ${shown} owns`
    : `${scopeBy === 'cluster' ? 'Cluster' : 'Namespace'} ${shown}`
}

const graceHours = budgetGraceMs / 3_600_000

/** What follows when a budget is exceeded: the one sentence for lists, titles and notices. */
function consequenceText(action: BudgetRow['action'], ownerCount: number): string {
  const owners = ownerCount === 1 ? 'the owner is' : `${ownerCount} owners are`
  return action === 'notify'
    ? `then ${owners} notified and nothing is stopped`
    : `then ${owners} notified, and ${graceHours} hours later new runs wait. Clusters, databases and running runs go on`
}

/** How a budget stands and what follows, as sentences. */
export function standingText(
  row: Pick<
    BudgetRow,
    'name' | 'amount' | 'currency' | 'state' | 'stateSince' | 'action' | 'month' | 'liftedMonth'
  >,
  measured: Measured | undefined,
  {
    reach,
    ownerCount,
    timeZone,
  }: { reach: { date: string; isReached: boolean } | undefined; ownerCount: number; timeZone: string },
): string {
  const { amount, currency, state, action } = row
  if (measured === undefined)
    return `The budget is in ${currency} and the prices are in another currency, so they cannot be compared. Change the currency of the budget.`
  const budget = `The budget of ${moneyText(amount, currency)}`
  switch (state) {
    case 'enforced':
      return `${budget} is exceeded and new runs wait. Clusters, databases and running runs go on. An owner can lift the pause.`
    case 'grace': {
      const at = new Date(row.stateSince.getTime() + budgetGraceMs)
      return `${budget} is exceeded. New runs wait from ${timeText(at, timeZone)} on. Clusters, databases and running runs go on.`
    }
    case 'exceeded':
      return row.liftedMonth === row.month && action === 'pause_new_runs'
        ? `${budget} is exceeded. An owner has lifted the pause of new runs for ${monthName(row.month)}.`
        : `${budget} is exceeded. Nothing is stopped.`
    case 'ok':
    case 'warning':
      if (reach === undefined) {
        return measured.forecast.state === 'ready'
          ? `${budget} is not reached in ${monthName(row.month)}.`
          : `${budget} is not reached yet. When it is, ${consequenceText(action, ownerCount)}.`
      }
      return `${budget} is reached on ${dayWords(reach.date)}; ${consequenceText(action, ownerCount)}.`
  }
}

export function timeText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
}

/** The title of the page: what the month will cost, against the budget of everything where there is one. */
export function headlineTitle(
  month: string,
  currency: string,
  { spent, forecast }: Pick<Measured, 'spent' | 'forecast'>,
  amount: string | undefined,
): string {
  const name = monthName(month)
  if (forecast.state !== 'ready') return `${name} has cost ${moneyText(spent, currency)} so far`
  const cost = `${name} will cost about ${moneyText(forecast.amount, currency, true)}`
  if (amount === undefined) return cost
  const over = decimalOf(forecast.amount) - decimalOf(amount)
  const size = moneyText(over < 0n ? -over : over, currency, true)
  // Less than half of what is shown: neither over nor under.
  if (size === moneyText(0n, currency, true)) return `${cost}, as much as its budget`
  return `${cost}, ${size} ${over > 0n ? 'over' : 'under'} its budget`
}
