import type { LeftTable } from '@bey/contract'
import { formatCount } from '../../../lib/format.ts'
import { tableName } from './swap-effects.ts'

/** Why rows of a table are not compared, and what can be done. */
export const reasonTexts: Readonly<Record<NonNullable<LeftTable['reason']>, string>> = {
  no_key: 'Not compared: no primary key',
  no_table: 'Not compared: no such table here',
  other_columns: 'Not compared: other columns or key here',
  too_large: 'Not compared: too large',
}

/** Whether a table has rows that can be copied. */
export const canBeCopied = ({ left }: Pick<LeftTable, 'left'>) => left !== null && left > 0

/** "3 differ and stay as they are here (7, 9, 12)". */
export function differingText({
  differing,
  differingKeys,
}: Pick<LeftTable, 'differing' | 'differingKeys'>): string {
  if (differing === null || differing === 0) return ''
  const more = differing > differingKeys.length ? ', …' : ''
  return `${formatCount(differing, 'row')} ${differing === 1 ? 'differs' : 'differ'} and ${differing === 1 ? 'stays' : 'stay'} as here: ${differingKeys.join(', ')}${more}`
}

/** What a copy of these tables does, a sentence each. */
export function copyEffects(tables: readonly LeftTable[], old: string): string[] {
  const rows = tables.reduce((sum, { left }) => sum + (left ?? 0), 0)
  const fired = tables.filter(({ triggers }) => triggers > 0)
  const differing = tables.reduce((sum, table) => sum + (table.differing ?? 0), 0)
  return [
    `${formatCount(rows, 'row')} of ${formatCount(tables.length, 'table')} ${rows === 1 ? 'is' : 'are'} copied from ${old}: ${tables.map(tableName).join(', ')}`,
    'A row that breaks a constraint here is refused and said in the run; nothing that is here is changed',
    ...(differing === 0 ? [] : [`${formatCount(differing, 'row')} with other values here are not copied`]),
    ...(fired.length === 0
      ? []
      : [`Triggers fire for each copied row of ${fired.map(tableName).join(', ')}`]),
  ]
}
