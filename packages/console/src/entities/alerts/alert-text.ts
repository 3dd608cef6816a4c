import { conditionText, durationText, limitOf, seriesText } from '@bey/contract/alerts/rules'
import type { Alert } from '../../data/alerts.ts'
import { absent, formatBytes, formatCpu, formatDuration, formatNumber } from '../../lib/format.ts'
import { ageText } from '../health/age-text.ts'
import { momentText, sinceText } from '../../ui/time-text.ts'

/** The page of an alert; `tab` names a part of it. */
export function alertHref(id: string, tab?: string): string {
  return `/analytics/alerts/${id}${tab === undefined ? '' : `?tab=${tab}`}`
}

const suffixes: Readonly<Record<string, string>> = {
  percent: ' %',
  per_second: '/s',
  per_minute: '/min',
  cores: ' cores',
  seconds: ' s',
}

/** A value with its unit; without one as a bare number. */
export function unitText(value: number | null, unit: string | null): string {
  if (value === null) return absent
  const rounded = Number(value.toPrecision(3))
  switch (unit) {
    case 'bytes':
      return formatBytes(value)
    case 'bytes_per_second':
      return `${formatBytes(value)}/s`
    case 'millicores':
      return formatCpu(value)
    case 'ms':
      return formatDuration(value)
    default:
      return `${formatNumber(rounded)}${suffixes[unit ?? ''] ?? ''}`
  }
}

/** What a change by per cent is shown in instead of the unit of its series. */
export function judgedUnit({ condition, unit }: Pick<Alert, 'condition' | 'unit'>): string | null {
  return condition.kind === 'change' && condition.isPercent ? 'percent' : unit
}

/** When it fires: `above 85 % for 15 min`. */
export function ruleText({ condition, forMs, unit }: Pick<Alert, 'condition' | 'forMs' | 'unit'>): string {
  return conditionText(condition, forMs, (limit) => unitText(limit, unit))
}

export const groupTexts: Readonly<Record<Alert['group'], string>> = {
  firing: 'Firing',
  warning: 'Warning',
  no_data: 'No data',
  pending: 'Pending',
  silenced: 'Silenced',
  quiet: 'Quiet',
  off: 'Off',
}

/** Whether none of its series has ever had a value. */
const isWaiting = ({ worst }: Pick<Alert, 'worst'>) => worst !== null && worst.value === null

/** Since when it is so, and who has taken it over. */
export function sinceLine(alert: Alert): string {
  const { group, state, since, silence, acknowledgedBy, error } = alert
  if (group === 'off') return 'not evaluated'
  if (group === 'silenced' && silence) return `until ${momentText(silence.until)}`
  if (error !== null) return 'cannot be evaluated'
  if (since === null) return 'not evaluated yet'
  if (state === 'pending') {
    const lasted = Math.max(0, Date.now() - Date.parse(since))
    return `${durationText(Math.floor(lasted / 60_000) * 60_000)} of ${durationText(alert.forMs)}`
  }
  if (state === 'ok' && isWaiting(alert)) return 'waiting for the first value'
  if (state !== 'firing') return sinceText(since)
  return `${ageText(since)}, ${acknowledgedBy ? `${acknowledgedBy.name} has it` : 'nobody has it'}`
}

/** The sentence under the title of one alert. */
export function stateSentence(alert: Alert): string {
  const { state, since, worst, error, firingCount, seriesCount, acknowledgedBy } = alert
  if (state === 'off') return `It is off: nothing is evaluated. It would fire ${ruleText(alert)}.`
  if (error !== null) return error
  if (worst === null || since === null) return 'It has not been evaluated yet; that takes up to 30 s.'
  if (alert.source === 'resources' && alert.condition.kind === 'match') return matchSentence(alert)
  const value = unitText(worst.value, judgedUnit(alert))
  const place = seriesText(worst.labels)
  const rule = ruleText(alert)
  if (state === 'no_data')
    return `Nothing has been measured since ${sinceText(since)}, so nobody knows whether it would fire.`
  if (state === 'firing') {
    const who = acknowledgedBy ? `${acknowledgedBy.name} has it.` : 'Nobody has taken it over.'
    const where = place === '' ? '' : ` in ${place}`
    const rest = firingCount > 1 ? ` ${firingCount} of ${seriesCount} series fire.` : ''
    return `${value}${where}, ${rule} since ${sinceText(since)}.${rest} ${who}`
  }
  if (state === 'pending') return `${value} since ${sinceText(since)}; it fires ${rule}.`
  if (isWaiting(alert)) return `Waiting for the first value; it fires ${rule}.`
  const limit = limitOf(alert.condition)
  return `${limit === undefined ? 'Measured' : value} now; it fires ${rule}.`
}

/** The same of an alert that watches each resource that matches. */
function matchSentence({ state, firingCount, acknowledgedBy, expr }: Alert): string {
  if (state === 'no_data')
    return 'A cluster does not answer. Resources in it may match, so the alert has no data.'
  if (state === 'ok') return `Nothing matches ${expr}.`
  if (state === 'pending') return `Something matches ${expr}, but not for long enough yet.`
  const who = acknowledgedBy ? `${acknowledgedBy.name} has it.` : 'Nobody has taken it over.'
  return `${firingCount === 1 ? '1 resource matches' : `${firingCount} resources match`} ${expr}. ${who}`
}

/** The form of a new alert, filled with what is watched; its author decides the rest. */
export function alertCreateHref(filled: {
  name: string
  /** PromQL. */
  expr: string
  limit?: number
  side?: 'above' | 'below'
}): string {
  const { name, expr, limit, side } = filled
  const search = new URLSearchParams({ name, expr })
  if (limit !== undefined) search.set('limit', String(limit))
  if (side !== undefined) search.set('side', side)
  return `/analytics/alerts/create?${search.toString()}`
}
