import { mcpBounds, redactNamedText } from '@bey/contract'

type Path = readonly (string | number)[]

/**
 * A result as it leaves the server: texts without what looks like a credential and not longer than a page, and lists cut,
 * the longest first, until the whole fits. `leftOut` says what was cut.
 */
export function boundedResult(
  result: object,
  maxChars: number = mcpBounds.maxResultChars,
): { leftOut: string[] } & Record<string, unknown> {
  const cutTexts = new Set<string>()
  const value = withShownTexts(result, [], cutTexts) as Record<string, unknown>
  const given = Array.isArray(value['leftOut']) ? (value['leftOut'] as string[]) : []
  const totals = new Map<string, { total: number; shown: number }>()
  while (JSON.stringify(value).length > maxChars) {
    const longest = longestList(value, [])
    if (longest === undefined) break
    const { list, path } = longest
    const key = path.join('.')
    const total = totals.get(key)?.total ?? list.length
    list.length = Math.floor(list.length / 2)
    totals.set(key, { total, shown: list.length })
  }
  const cutLists = [...totals].map(
    ([name, { total, shown }]) => `${name}: the first ${shown} of ${total} fit. Ask for fewer, or filter.`,
  )
  const shortened = [...cutTexts].map(
    (name) => `${name}: texts longer than ${mcpBounds.maxTextChars} characters were shortened.`,
  )
  return { ...value, leftOut: [...given, ...cutLists, ...shortened] }
}

function withShownTexts(value: unknown, path: Path, cut: Set<string>): unknown {
  if (typeof value === 'string') return shownText(value, path, cut)
  if (Array.isArray(value)) return value.map((each, index) => withShownTexts(each, [...path, index], cut))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withShownTexts(each, [...path, key], cut)]),
  )
}

function shownText(text: string, path: Path, cut: Set<string>): string {
  const shown = redactNamedText(text)
  if (shown.length <= mcpBounds.maxTextChars) return shown
  cut.add(path.filter((part) => typeof part === 'string').join('.'))
  return `${Array.from(shown.slice(0, mcpBounds.maxTextChars)).join('')} …`
}

function longestList(value: unknown, path: Path): { list: unknown[]; path: Path; chars: number } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const within = Object.entries(value).flatMap(([key, each]) => longestList(each, [...path, key]) ?? [])
  const own =
    Array.isArray(value) && value.length > 0
      ? [{ list: value as unknown[], path, chars: JSON.stringify(value).length }]
      : []
  // Of a list and the lists in its rows the outer one is cut: its rows stay whole.
  return [...own, ...within].toSorted((one, other) => other.chars - one.chars)[0]
}
