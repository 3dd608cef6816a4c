import {
  boardBounds,
  type BoardDefinition,
  type BoardPanel,
  boardVariables,
  type PanelKind,
  type PanelUnit,
} from '@bey/contract/boards/rules'

// The JSON model of dashboards: https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/

/** Panel types of Grafana that a panel of Bey shows the same way. */
const kindOfType: Readonly<Record<string, PanelKind>> = {
  timeseries: 'series',
  graph: 'series',
  stat: 'stat',
  singlestat: 'stat',
  gauge: 'stat',
  table: 'table',
  text: 'text',
  heatmap: 'heatmap',
  'status-history': 'history',
  'state-timeline': 'history',
  barchart: 'top',
  bargauge: 'top',
}

export const typeOfKind: Readonly<Record<PanelKind, string>> = {
  series: 'timeseries',
  stat: 'stat',
  table: 'table',
  text: 'text',
  heatmap: 'heatmap',
  history: 'status-history',
  top: 'barchart',
}

export const grafanaUnits: Readonly<Partial<Record<PanelUnit, string>>> = {
  count: 'short',
  percent: 'percent',
  bytes: 'bytes',
  bytes_per_second: 'binBps',
  ms: 'ms',
  seconds: 's',
  per_second: 'cps',
  per_minute: 'cpm',
}

/** Grafana counts 24 columns and rows of 38 px; a row of a board is about two of them. */
export const grafanaScale = { columns: 2, rows: 4 } as const

type Json = Readonly<Record<string, unknown>>
interface Read {
  name: string
  description: string
  definition: BoardDefinition
  notes: string[]
}

/** Reads a dashboard of Grafana. What Bey has no panel or setting for is named in `notes`. */
export function readGrafana(dashboard: Json): Read {
  const notes: string[] = []
  const panels: BoardPanel[] = []
  for (const [index, each] of flatPanels(dashboard['panels']).entries()) {
    const panel = readPanel(each, index, notes)
    if (panel) panels.push(panel)
  }
  const used = panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)).join('\n')
  for (const name of variableNames(dashboard)) {
    if (boardVariables.some((known) => known === name)) continue
    notes.push(`The variable $${name} is not known: boards have $cluster, $namespace and $database.`)
  }
  return {
    name: textOf(dashboard['title']).slice(0, 63) || 'Imported board',
    description: textOf(dashboard['description']).slice(0, 2_000),
    definition: {
      panels,
      variables: boardVariables.filter((name) => new RegExp(`\\$\\{?${name}\\b`).test(used)),
      range: '24h',
      compare: 'none',
    },
    notes,
  }
}

function readPanel(panel: Json, index: number, notes: string[]): BoardPanel | undefined {
  const title = textOf(panel['title']).slice(0, boardBounds.maxTitleLength)
  const type = textOf(panel['type'])
  const called = title === '' ? `Panel ${index + 1}` : `"${title}"`
  const kind = kindOfType[type]
  if (kind === undefined) {
    notes.push(`${called} was left out: Bey has no panel of the type "${type}".`)
    return undefined
  }
  const targets = listOf(panel['targets'])
  const queries = targets.flatMap((target) => {
    const expr = textOf(target['expr'])
    if (expr === '') return []
    return [{ expr: plainVariables(expr), legend: legendOf(target) }]
  })
  if (queries.length < targets.length) {
    notes.push(`${called} lost ${targets.length - queries.length} of its queries: they are not PromQL.`)
  }
  if (queries.length > boardBounds.maxQueries) {
    notes.push(
      `${called} lost ${queries.length - boardBounds.maxQueries} of its queries: a panel has at most 5.`,
    )
  }
  const defaults = recordOf(recordOf(panel['fieldConfig'])['defaults'])
  if (listOf(panel['transformations']).length > 0)
    notes.push(`${called} is shown without its transformations.`)
  return {
    id: `p${index + 1}`,
    kind,
    title,
    ...placeOf(recordOf(panel['gridPos'])),
    queries: queries.slice(0, boardBounds.maxQueries),
    unit: unitOf(textOf(defaults['unit']), called, notes),
    thresholds: thresholdsOf(recordOf(defaults['thresholds'])),
    text:
      kind === 'text'
        ? textOf(recordOf(panel['options'])['content']).slice(0, boardBounds.maxTextLength)
        : '',
  }
}

/** Panels, and those inside of collapsed rows; rows themselves are headings. */
function flatPanels(panels: unknown): Json[] {
  return listOf(panels).flatMap((panel) => (panel['type'] === 'row' ? listOf(panel['panels']) : [panel]))
}

function placeOf({ x, y, w, h }: Json): Pick<BoardPanel, 'x' | 'y' | 'width' | 'height'> {
  const whole = (value: unknown, least: number, most: number, by: number) =>
    Math.max(least, Math.min(most, Math.round((typeof value === 'number' ? value : 0) / by)))
  const width = whole(w ?? 12, 1, boardBounds.columns, grafanaScale.columns)
  return {
    x: Math.min(whole(x, 0, boardBounds.columns - 1, grafanaScale.columns), boardBounds.columns - width),
    y: whole(y, 0, boardBounds.maxRow, grafanaScale.rows),
    width,
    height: whole(h ?? 8, 1, boardBounds.maxHeight, grafanaScale.rows),
  }
}

function unitOf(unit: string, called: string, notes: string[]): PanelUnit {
  if (unit === '' || unit === 'none') return 'auto'
  const known = Object.entries(grafanaUnits).find(([, name]) => name === unit)
  // The keys are units.
  if (known) return known[0] as PanelUnit
  notes.push(`${called} is shown without its unit "${unit}".`)
  return 'auto'
}

/** The first step of Grafana is the base without a value; the next is a warning, the last a failure. */
function thresholdsOf({ mode, steps }: Json): BoardPanel['thresholds'] {
  if (mode === 'percentage') return { warn: null, danger: null }
  const values = listOf(steps)
    .map(({ value }) => value)
    .filter((value): value is number => typeof value === 'number' && Math.abs(value) <= 1e15)
  return { warn: values.length > 1 ? (values[0] ?? null) : null, danger: values.at(-1) ?? null }
}

function legendOf(target: Json): string {
  const legend = textOf(target['legendFormat'])
  return legend === '__auto' ? '' : legend.slice(0, boardBounds.maxLegendLength)
}

// `${cluster}` and `${cluster:regex}` are other ways to write `$cluster`.
const plainVariables = (expr: string) =>
  expr.replace(/\$\{(\w+)(?::\w+)?\}/g, (_, name: string) => `$${name}`)

const variableNames = (dashboard: Json) =>
  listOf(recordOf(dashboard['templating'])['list'])
    .filter(({ type }) => type !== 'datasource')
    .map(({ name }) => textOf(name))
    .filter(Boolean)

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
const recordOf = (value: unknown): Json => (isRecord(value) ? value : {})
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
