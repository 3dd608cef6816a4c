import type { DatabaseStatement } from '@bey/contract'
import { formatNumber } from '../../../lib/format.ts'

/** A statement on one line, for a row of a table. A server forgets texts when its file of them was lost or grew too large. */
export const statementLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim() || '(no text)'

/** "× 4.1" from a tenth on; "−4 %" and "+2 %" below; "—" where there is nothing to compare with. */
export function changeText(change: number | null): string {
  if (change === null) return '—'
  if (change >= 1.5) return `× ${formatNumber(Number(change.toFixed(1)))}`
  const percent = Math.round((change - 1) * 100)
  if (percent === 0) return '0'
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`
}

/** From this factor on a statement is said to have become slower. */
export const slowerFrom = 1.5

/** "shop / checkout, migrate"; users where nobody was seen at it. */
export function issuerText({ issuers, users }: Pick<DatabaseStatement, 'issuers' | 'users'>): string {
  const names = issuers.map(({ name }) => name)
  if (names.length === 0) return users.join(', ')
  return names.length > 2 ? `${names[0] ?? ''} and ${names.length - 1} more` : names.join(', ')
}

/** Whether PostgreSQL can explain the statement: only queries and changes of rows have a plan. */
export function planRefusal({ text, isCut }: Pick<DatabaseStatement, 'text' | 'isCut'>): string | undefined {
  if (isCut) return 'Its text is longer than what is kept, so it cannot be explained.'
  return /^\s*(\/\*[\s\S]*?\*\/\s*)*(select|with|insert|update|delete|merge|values|table)\b/i.test(text)
    ? undefined
    : 'PostgreSQL has plans for queries and changes of rows alone.'
}
