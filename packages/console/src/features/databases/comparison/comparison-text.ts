import {
  type ComparedDatabase,
  databaseStatusLabel,
  type DatabaseDeviation,
  engineLabel,
} from '@bey/contract'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { sinceText } from '../../../ui/time-text.ts'

export type RowTone = 'danger' | 'warn' | 'usual'

const waits = { cpu: 'processor', io: 'disk', lock: 'locks', other: 'other waits' } as const
const nouns = { load: 'load', connections: 'connections', latency: 'latency' } as const

/** "load 4.7 × its usual: locks". */
function deviationText({ metric, times, wait, since }: DatabaseDeviation): string {
  const waited = wait === null ? '' : `: ${waits[wait]}`
  if (times === null)
    return `unusual ${nouns[metric]}${since === null ? '' : ` since ${sinceText(since)}`}${waited}`
  const factor = formatNumber(Number(times.toFixed(times < 10 ? 1 : 0)))
  return `${nouns[metric]} ${factor} × ${metric === 'connections' ? 'the' : 'its'} usual${waited}`
}

/** Why a row stands where it does, in a few words. */
export function reasonOf(row: ComparedDatabase): { text: string; tone: RowTone } {
  const { database, deviations, daysUntilFull, values, usual } = row
  const { status, figures, health, engine } = database
  if (status !== 'available') {
    const isTrouble = health.state === 'failing' || health.state === 'degraded'
    const since = figures === null ? '' : `no data since ${sinceText(figures.at)}`
    return isTrouble
      ? { text: since || databaseStatusLabel(status), tone: 'danger' }
      : { text: databaseStatusLabel(status), tone: 'usual' }
  }
  if (row.isOverdue && figures !== null)
    return { text: `no data since ${sinceText(figures.at)}`, tone: 'warn' }
  const isFailing = health.state === 'failing'
  if (isFailing && health.detail !== null) return { text: health.detail, tone: 'danger' }
  const [deviation] = deviations
  if (deviation !== undefined) return { text: deviationText(deviation), tone: 'warn' }
  if (daysUntilFull !== null && daysUntilFull < 7)
    return {
      text:
        daysUntilFull === 0 ? 'disk full within a day' : `disk full in ${formatCount(daysUntilFull, 'day')}`,
      tone: 'warn',
    }
  if (health.state === 'degraded' && health.detail !== null) return { text: health.detail, tone: 'warn' }
  if (values.every((value) => value === null))
    return {
      text: engine === 'postgres' ? 'not measured in this time' : `not measured of ${engineLabel(engine)}`,
      tone: 'usual',
    }
  if (usual === null) return { text: 'usual known after two weeks', tone: 'usual' }
  return { text: 'as usual', tone: 'usual' }
}

const minuteMs = 60_000
/** What left its band within so long left it together, and what changed so shortly before may be why. */
const togetherMs = 2 * minuteMs
const beforeMs = 15 * minuteMs

interface Change {
  at: number
  text: string
  href: string
}

/** Which databases left their band together last, when, and what changed shortly before. */
export function departureOf(
  rows: readonly ComparedDatabase[],
  changes: readonly Change[],
): { names: string[]; since: string; after: (Change & { minutes: number }) | undefined } | undefined {
  const left = rows
    .flatMap(({ database, deviations }) => {
      const [deviation] = deviations
      return deviation == null || deviation.since === null
        ? []
        : [{ name: database.name, sinceMs: Date.parse(deviation.since) }]
    })
    .toSorted((a, b) => b.sinceMs - a.sinceMs)
  const groups = left.map(({ sinceMs }) =>
    left.filter((other) => Math.abs(other.sinceMs - sinceMs) <= togetherMs),
  )
  // The most at a time; of equally many, the last.
  const group = groups.toSorted((a, b) => b.length - a.length)[0]
  if (group === undefined) return undefined
  const sinceMs = Math.min(...group.map((each) => each.sinceMs))
  const change = changes.findLast(({ at }) => at <= sinceMs + minuteMs && at >= sinceMs - beforeMs)
  return {
    names: group.map(({ name }) => name).toSorted(),
    since: new Date(sinceMs).toISOString(),
    after: change && { ...change, minutes: Math.max(0, Math.round((sinceMs - change.at) / minuteMs)) },
  }
}

/** "orders and ledger", "orders, ledger and 3 others". */
export function namesText(names: readonly string[]): string {
  const [first = '', second, ...others] = names
  if (second === undefined) return first
  if (others.length === 0) return `${first} and ${second}`
  return `${first}, ${second} and ${formatCount(others.length, 'other')}`
}
