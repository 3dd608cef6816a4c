/** The page, filters and order of a list, kept in the URL. Every list page reads and writes it. */
export interface ListSearch {
  /** 1-based; absent on the first page. */
  page?: number
  /** The filter's text. */
  q?: string
  /** The server's name of the order; absent for its default. */
  sort?: string
  order?: 'asc' | 'desc'
  status?: string
  /** Whether a workflow is a draft, active, paused or archived. */
  state?: string
  health?: string
  type?: string
  label?: string
  namespace?: string
  /** Numeric id of a cluster. */
  cluster?: string
  author?: string
  /** Path of a page of the console. */
  path?: string
  component?: string
  release?: string
  /** Of the charts. */
  period?: string
  /** Id of a workflow. */
  workflow?: string
  /** What started a run. */
  trigger?: string
  /** The part of a page that is shown. */
  tab?: string
  /** The time that is shown, RFC 3339. */
  from?: string
  to?: string
  /** The object that is shown beside the list: `resource/namespace/name`. */
  peek?: string
  /** A PromQL expression, at most 4,000 characters. */
  expr?: string
  /** Id of the data source that evaluates the expression. */
  source?: string
  /** Numeric id of the thing whose panel is open beside the list. */
  panel?: number
}

const maxTextLength = 200
const maxExpressionLength = 4_000
const textKeys = [
  'q',
  'sort',
  'status',
  'state',
  'health',
  'type',
  'label',
  'namespace',
  'cluster',
  'author',
  'path',
  'component',
  'release',
  'period',
  'workflow',
  'trigger',
  'tab',
  'from',
  'to',
  'peek',
  'source',
] as const

/** Reads the search of a URL that anybody may have written: whatever is not valid is left out. */
export function parseListSearch(search: Record<string, unknown>): ListSearch {
  const result: ListSearch = {}
  const page = Number(search['page'])
  if (Number.isInteger(page) && page > 1 && page <= 1_000_000) result.page = page
  const panel = Number(search['panel'])
  if (Number.isInteger(panel) && panel > 0) result.panel = panel
  for (const key of textKeys) {
    const value = search[key]
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text !== '' && text.length <= maxTextLength) result[key] = text
  }
  const { expr } = search
  if (typeof expr === 'string' && expr !== '' && expr.length <= maxExpressionLength) result.expr = expr
  if (search['order'] === 'asc' || search['order'] === 'desc') result.order = search['order']
  return result
}
