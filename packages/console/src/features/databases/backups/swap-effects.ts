import type { DatabaseSwapComparison } from '@bey/contract'
import { formatCount, formatNumber } from '../../../lib/format.ts'

type Table = DatabaseSwapComparison['tables'][number]
type Client = DatabaseSwapComparison['clients'][number]
type Counted = NonNullable<Table['copy']>

/** Names in one sentence: the rest is counted. */
const maxNames = 5

/** What a swap does to one table. `fewer`, `more`, `same`: by the number of rows; `unknown`: one of both is not counted. */
export type TableEffect = 'back' | 'left' | 'fewer' | 'more' | 'same' | 'unknown'

export function effectOf({ copy, source }: Pick<Table, 'copy' | 'source'>): TableEffect {
  if (source === null) return 'back'
  if (copy === null) return 'left'
  const difference = differenceOf(copy, source)
  if (difference === null) return 'unknown'
  if (difference === 0) return 'same'
  return difference < 0 ? 'fewer' : 'more'
}

/** Rows of the copy less those of the database; null where one of both is not counted. */
function differenceOf(copy: Counted, source: Counted): number | null {
  if (copy.rows === null || source.rows === null) return null
  // Estimates that agree prove nothing.
  if (copy.rows === source.rows && (copy.isEstimate || source.isEstimate)) return null
  return copy.rows - source.rows
}

/** What the swap does to a table, in words. */
export function tableEffectText(table: Pick<Table, 'copy' | 'source'>): string {
  const { copy, source } = table
  switch (effectOf(table)) {
    case 'back':
      return `Back${copy?.rows == null ? '' : `, ${rowsText(copy)}`}`
    case 'left':
      return 'Stays in the old database alone'
    case 'same':
      return 'As many rows'
    case 'unknown':
      return 'Not known: counting took too long'
    default: {
      const difference = (copy?.rows ?? 0) - (source?.rows ?? 0)
      const about = copy?.isEstimate || source?.isEstimate ? 'About ' : ''
      return `${about}${formatCount(Math.abs(difference), 'row')} ${difference < 0 ? 'fewer' : 'more'}`
    }
  }
}

/** "48,212 rows", "about 48,212 rows". */
const rowsText = ({ rows, isEstimate }: Counted) =>
  `${isEstimate ? 'about ' : ''}${formatCount(rows ?? 0, 'row')}`

/** How many rows, as in a cell. */
export function countText({ rows, isEstimate }: Counted): string {
  if (rows === null) return 'not counted'
  return `${isEstimate ? '≈ ' : ''}${formatNumber(rows)}`
}

export const tableName = ({ schema, name }: Pick<Table, 'schema' | 'name'>) =>
  schema === 'public' ? name : `${schema}.${name}`

/** Tables in which both differ, and how many have as many rows in both. */
export function splitTables(tables: readonly Table[]): { differing: Table[]; sameCount: number } {
  const differing = tables.filter((table) => effectOf(table) !== 'same')
  return { differing, sameCount: tables.length - differing.length }
}

/** In which tables a copy differs from the database whose place it takes, a sentence each. */
export function tablesThatDiffer({
  tables,
  tablesLeftOut,
}: Pick<DatabaseSwapComparison, 'tables' | 'tablesLeftOut'>): string[] {
  const of = (...effects: TableEffect[]) => tables.filter((table) => effects.includes(effectOf(table)))
  const [back, left, fewer, more, unknown] = [of('back'), of('left'), of('fewer'), of('more'), of('unknown')]
  const sentences = [
    [back, `${inTables(back)} ${back.length === 1 ? 'comes' : 'come'} back: ${namesText(back)}`],
    [
      left,
      `${inTables(left)} ${left.length === 1 ? 'stays' : 'stay'} in the old database alone: ${namesText(left)}`,
    ],
    [fewer, `${rowsApart(fewer)} in ${inTables(fewer)} stay in the old database: ${namesText(fewer)}`],
    [more, `${rowsApart(more)} in ${inTables(more)} come back: ${namesText(more)}`],
    [
      unknown,
      `${inTables(unknown)} ${unknown.length === 1 ? 'was' : 'were'} not compared: ${namesText(unknown)}`,
    ],
  ] as const
  const found = sentences.flatMap(([group, sentence]) => (group.length === 0 ? [] : [sentence]))
  return [
    ...(found.length === 0 && tablesLeftOut === 0
      ? [tables.length === 0 ? 'Neither has a table' : 'Both have the same tables with as many rows']
      : found),
    ...(tablesLeftOut === 0 ? [] : [`${formatCount(tablesLeftOut, 'more table')} not compared`]),
  ]
}

const inTables = (tables: readonly Table[]) => formatCount(tables.length, 'table')

/** "At least": rows that were deleted in one and added in the other cancel each other out. */
function rowsApart(tables: readonly Table[]): string {
  const rows = tables.reduce(
    (sum, { copy, source }) => sum + Math.abs((copy?.rows ?? 0) - (source?.rows ?? 0)),
    0,
  )
  const isEstimate = tables.some(({ copy, source }) => copy?.isEstimate || source?.isEstimate)
  return `${isEstimate ? 'About' : 'At least'} ${formatCount(rows, 'row')}`
}

/** Who is affected by the end of all connections to a database, a sentence each. */
export function affectedBySwap({
  clients,
  connections,
}: Pick<DatabaseSwapComparison, 'clients' | 'connections'>): string[] {
  const losing = [
    ...new Set(clients.filter(({ withChanges }) => withChanges > 0).map(({ client }) => client)),
  ]
  return [
    connections === 0
      ? 'No one is connected to it now'
      : `${formatCount(connections, 'connection')} to it now: each has to be opened again`,
    ...(losing.length === 0 ? [] : [`What ${listText(losing)} changed and did not commit is rolled back`]),
  ]
}

/** What the swap does to one client, in words. */
export function clientEffectText({ connections, active, idleInTransaction, withChanges }: Client): string {
  const uncommitted = withChanges === 0 ? '' : `, changes of ${formatNumber(withChanges)} rolled back`
  return [
    `${formatCount(connections, 'connection')} ${connections === 1 ? 'ends' : 'end'}`,
    ...(active === 0 ? [] : [`${formatCount(active, 'statement')} interrupted`]),
    ...(idleInTransaction === 0
      ? []
      : [`${formatNumber(idleInTransaction)} idle in transaction rolled back`]),
  ]
    .join(', ')
    .concat(uncommitted)
}

const namesText = (tables: readonly Table[]) => listText(tables.map(tableName))

function listText(names: readonly string[]): string {
  const rest = names.length - maxNames
  return `${names.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
