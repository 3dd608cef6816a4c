import type { InstanceBackup, InstanceHealth, InstanceLimit } from '@bey/contract'
import { formatBytes, formatCount, formatNumber } from '../../../lib/format.ts'

/** Fewer days of history say too little about growth; the server decides by the same number. */
const leastDays = 7

/** The title of the page. */
export function healthTitle({ checks, isHealthy }: Pick<InstanceHealth, 'checks' | 'isHealthy'>): string {
  if (isHealthy) return 'This Bey is healthy'
  const failed = checks.filter(({ status }) => status === 'failed').length
  const wrong = checks.filter(({ status }) => status !== 'ok').length
  if (failed > 0) return `${formatCount(failed, 'check')} of this Bey failed`
  return `${formatCount(wrong, 'check')} of this Bey ${wrong === 1 ? 'needs' : 'need'} attention`
}

/** What breaks first, as far as growth was measured. */
export function firstLimitSentence(limits: readonly InstanceLimit[]): string {
  const [first] = limits
  if (first !== undefined && first.daysLeft !== null) {
    return `Its first limit will be ${lowerFirst(first.title)}, in ${reachedIn(first)}.`
  }
  if (limits.every(({ growthPerMonth }) => growthPerMonth === null)) {
    return 'There is not enough history yet to say what breaks first.'
  }
  return 'No limit comes closer.'
}

/** When a limit is reached, as a table says it. */
export function reachedIn({ daysLeft, growthPerMonth, historyDays }: InstanceLimit): string {
  if (growthPerMonth === null) return `unknown, ${historyDays} of ${leastDays} days`
  if (daysLeft === null) return 'never'
  if (daysLeft < 1) return 'less than a day'
  if (daysLeft < 60) return `about ${formatCount(Math.round(daysLeft), 'day')}`
  if (daysLeft < 730) return `about ${formatCount(Math.round(daysLeft / 30), 'month')}`
  return 'years'
}

/** A value of a limit in its unit. */
export function limitValue({ unit }: Pick<InstanceLimit, 'unit'>, value: number): string {
  return unit === 'bytes' ? formatBytes(value) : formatNumber(Math.round(value))
}

/** The growth of a month; under half a unit it is none. */
export function growthText(limit: Pick<InstanceLimit, 'unit' | 'growthPerMonth'>): string {
  const { growthPerMonth: growth } = limit
  if (growth === null) return '—'
  if (Math.abs(growth) < 0.5) return 'flat'
  return `${growth > 0 ? '+' : '−'}${limitValue(limit, Math.abs(growth))} a month`
}

/** The newest complete backup that is kept. */
export function newestBackup(entries: readonly InstanceBackup[]): InstanceBackup | undefined {
  return entries.find(({ status, removedAt }) => status === 'completed' && removedAt === null)
}

/** The newest backup that a drill restored, whatever came of it. */
export function newestDrill(entries: readonly InstanceBackup[]): InstanceBackup | undefined {
  return entries
    .filter(({ drill }) => drill !== null)
    .toSorted((one, other) => (other.drill?.at ?? '').localeCompare(one.drill?.at ?? ''))[0]
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
