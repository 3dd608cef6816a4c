import type { DatabaseAdvice, DatabaseStatement, WaitClass } from '@bey/contract'
import { waitLooks } from './wait-looks.ts'
import { slowerFrom } from './statement-text.ts'

/** What of the statements is shown. Empty shows all. */
export type StatementFilter = {
  /** Words in its text. */
  text: string
  /** `client:` an application_name, or `user:` a database user. */
  by: string
  /** `slower`, `advice`, or `wait:` what its sessions waited for most. */
  only: string
}

export const noFilter: StatementFilter = { text: '', by: '', only: '' }

/** Advice that holds, by the statement that it is about. */
export type AdviceByStatement = ReadonlyMap<string, readonly DatabaseAdvice[]>

export function adviceByStatement(advice: readonly DatabaseAdvice[]): AdviceByStatement {
  const found = new Map<string, DatabaseAdvice[]>()
  for (const each of advice) {
    if (each.state !== 'open') continue
    for (const queryId of each.queryIds) found.set(queryId, [...(found.get(queryId) ?? []), each])
  }
  return found
}

export function matchesFilter(
  statement: DatabaseStatement,
  { text, by, only }: StatementFilter,
  advice: AdviceByStatement,
): boolean {
  const { queryId, change, issuers, users } = statement
  if (!statement.text.toLowerCase().includes(text.trim().toLowerCase())) return false
  if (by.startsWith('client:') && !issuers.some(({ name }) => `client:${name}` === by)) return false
  if (by.startsWith('user:') && !users.some((name) => `user:${name}` === by)) return false
  if (only === 'slower') return (change ?? 0) >= slowerFrom
  if (only === 'advice') return advice.has(queryId)
  return !only.startsWith('wait:') || only === `wait:${mainWait(statement) ?? ''}`
}

/** What its sessions waited for most; undefined where none was seen at it. */
function mainWait({ load }: Pick<DatabaseStatement, 'load'>): WaitClass | undefined {
  const [first] = waitLooks.toSorted((a, b) => load[b.key] - load[a.key])
  return first !== undefined && load[first.key] > 0 ? first.key : undefined
}

/** Clients and users that were seen at the statements, by name. */
export function issuerOptions(statements: readonly DatabaseStatement[]) {
  const clients = new Set(statements.flatMap(({ issuers }) => issuers.map(({ name }) => name)))
  const users = new Set(statements.flatMap((statement) => statement.users))
  return [
    ...[...clients].toSorted().map((name) => ({ value: `client:${name}`, label: name })),
    ...[...users].toSorted().map((name) => ({ value: `user:${name}`, label: `User ${name}` })),
  ]
}

/** What else the statements are narrowed to. `before`: the range that they are compared with. */
export function onlyOptions(before: string, hasWaits: boolean, hasAdvice: boolean) {
  return [
    { value: 'slower', label: `Slower than the ${before} before` },
    ...(hasAdvice ? [{ value: 'advice', label: 'With advice' }] : []),
    ...(hasWaits
      ? waitLooks.map(({ key, label }) => ({
          value: `wait:${key}`,
          label: key === 'cpu' ? 'Mostly on CPU' : `Mostly waiting: ${label}`,
        }))
      : []),
  ]
}
