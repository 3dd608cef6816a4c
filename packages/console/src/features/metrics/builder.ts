/** Functions over a window that the builder offers, by their PromQL name. */
export const windowFunctions = {
  avg_over_time: 'average over',
  min_over_time: 'lowest over',
  max_over_time: 'highest over',
  delta: 'change over',
  deriv: 'slope over',
} as const
type WindowFunction = keyof typeof windowFunctions

export const aggregations = ['sum', 'avg', 'min', 'max', 'count'] as const
type Aggregation = (typeof aggregations)[number]

export const filterOperators = ['=', '!=', '=~', '!~'] as const
export type FilterOperator = (typeof filterOperators)[number]

interface LabelFilter {
  label: string
  operator: FilterOperator
  value: string
}

export const windows = ['5m', '15m', '1h', '6h', '1d'] as const

/** What the builder shows of an expression. */
export interface BuilderState {
  metric: string
  filters: readonly LabelFilter[]
  window?: { function: WindowFunction; length: string } | undefined
  /** Undefined: every series by itself. */
  group?: { aggregation: Aggregation; by: readonly string[] } | undefined
  /** Only so many of the highest series. */
  top?: number | undefined
}

/** The expression of a builder. */
export function expressionOf({ metric, filters, window, group, top }: BuilderState): string {
  const braces = filters.map(({ label, operator, value }) => `${label}${operator}${JSON.stringify(value)}`)
  let text = braces.length === 0 ? metric : `${metric}{${braces.join(', ')}}`
  if (window) text = `${window.function}(${text}[${window.length}])`
  if (group) {
    const by = group.by.length === 0 ? '' : ` by (${group.by.join(', ')})`
    text = by === '' ? `${group.aggregation}(${text})` : `${group.aggregation}${by} (${text})`
  }
  return top === undefined ? text : `topk(${top}, ${text})`
}

/** The builder of an expression; undefined where the expression says more than the builder can show. */
export function builderOf(text: string): BuilderState | undefined {
  let rest = text.trim()
  let top: number | undefined
  const topped = /^topk\s*\(\s*(\d{1,4})\s*,(.*)\)$/s.exec(rest)
  if (topped) {
    top = Number(topped[1])
    rest = (topped[2] ?? '').trim()
  }
  const grouped = readGroup(rest)
  if (grouped) rest = grouped.rest
  const windowed = /^([a-z_]+)\s*\((.*)\[(\d+[smhdw])\]\s*\)$/s.exec(rest)
  let window: BuilderState['window']
  if (windowed) {
    const name = windowed[1] ?? ''
    if (!isWindowFunction(name)) return undefined
    window = { function: name, length: windowed[3] ?? '5m' }
    rest = (windowed[2] ?? '').trim()
  }
  const selector = readSelector(rest)
  return selector && { ...selector, window, group: grouped?.group, top }
}

const isWindowFunction = (name: string): name is WindowFunction => Object.hasOwn(windowFunctions, name)

function readGroup(text: string): { group: NonNullable<BuilderState['group']>; rest: string } | undefined {
  const match = /^(sum|avg|min|max|count)\s*(?:by\s*\(([\w\s,]*)\)\s*)?\((.*)\)$/s.exec(text)
  const aggregation = aggregations.find((each) => each === match?.[1])
  if (!match || !aggregation) return undefined
  const by = (match[2] ?? '').split(',').flatMap((label) => label.trim() || [])
  return { group: { aggregation, by }, rest: (match[3] ?? '').trim() }
}

const filterPattern = /\s*([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*("(?:[^"\\\n]|\\["\\])*")\s*(,|$)/y

function readSelector(text: string): Pick<BuilderState, 'metric' | 'filters'> | undefined {
  const match = /^([a-zA-Z_:][\w:]*)\s*(?:\{(.*)\})?$/s.exec(text)
  if (!match) return undefined
  const filters: LabelFilter[] = []
  const inner = match[2]?.trim() ?? ''
  filterPattern.lastIndex = 0
  for (let at = 0; at < inner.length; at = filterPattern.lastIndex) {
    const found = filterPattern.exec(inner)
    const operator = filterOperators.find((each) => each === found?.[2])
    if (!found || !operator) return undefined
    filters.push({ label: found[1] ?? '', operator, value: String(JSON.parse(found[3] ?? '""')) })
  }
  return { metric: match[1] ?? '', filters }
}
