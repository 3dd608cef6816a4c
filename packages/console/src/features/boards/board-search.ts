import type { BoardCompare, BoardDefinition, BoardValues, BoardVariable } from '@bey/contract'
import { boardBounds, boardCompares, boardVariables } from '@bey/contract'

/** What the address says of a board. */
export interface BoardSearch {
  period?: string
  compare?: BoardCompare
  cluster?: string
  namespace?: string
  database?: string
  edit?: '1'
  /** An expression for a new panel. */
  add?: string
  /** Its data source. */
  source?: string
  /** The time whose changes are shown, milliseconds since 1970. */
  at?: number
}

const maxNames = 6_000

/** Reads the search of an address that anybody may have written: whatever is not valid is left out. */
export function parseBoardSearch(search: Record<string, unknown>): BoardSearch {
  const result: BoardSearch = {}
  const text = (key: string, max: number) => {
    const value = search[key]
    return typeof value === 'string' && value !== '' && value.length <= max ? value : undefined
  }
  const period = text('period', 200)
  if (period !== undefined) result.period = period
  for (const variable of boardVariables) {
    const value = search[variable]
    const names = typeof value === 'number' ? String(value) : text(variable, maxNames)
    if (names !== undefined) result[variable] = names
  }
  const compare = boardCompares.find((each) => each === search['compare'])
  if (compare) result.compare = compare
  if (String(search['edit']) === '1') result.edit = '1'
  const add = text('add', boardBounds.maxExpressionLength)
  if (add !== undefined) result.add = add
  const source = text('source', 40)
  if (source !== undefined) result.source = source
  const at = Number(search['at'])
  if (Number.isSafeInteger(at) && at > 0 && at < 4e12) result.at = at
  return result
}

/** The names chosen for the variables of a board. */
export function valuesOf(search: BoardSearch, { variables }: BoardDefinition): BoardValues {
  return Object.fromEntries(variables.map((variable) => [variable, namesIn(search, variable)]))
}

export function namesIn(search: BoardSearch, variable: BoardVariable): string[] {
  return (search[variable] ?? '').split(',').filter(Boolean).slice(0, boardBounds.maxValues)
}
