/** How a panel shows what its expressions return. */
export const panelKinds = ['series', 'stat', 'top', 'table', 'heatmap', 'history', 'text'] as const
export type PanelKind = (typeof panelKinds)[number]

/** Units of panels. `auto` takes the unit that the expression has by itself. */
export const panelUnits = [
  'auto',
  'count',
  'percent',
  'bytes',
  'bytes_per_second',
  'millicores',
  'cores',
  'ms',
  'seconds',
  'per_second',
  'per_minute',
] as const
export type PanelUnit = (typeof panelUnits)[number]

/** Which names a board lets its readers choose; `$cluster` in an expression stands for the chosen ones. */
export const boardVariables = ['cluster', 'namespace', 'database'] as const
export type BoardVariable = (typeof boardVariables)[number]

export const boardRanges = ['1h', '6h', '24h', '7d', '30d'] as const
export type BoardRange = (typeof boardRanges)[number]
export const boardRangeSeconds: Readonly<Record<BoardRange, number>> = {
  '1h': 3_600,
  '6h': 21_600,
  '24h': 86_400,
  '7d': 604_800,
  '30d': 2_592_000,
}

/** With what the curves of a board are compared: the same time a day or a week before. */
export const boardCompares = ['none', 'day', 'week'] as const
export type BoardCompare = (typeof boardCompares)[number]

export const boardVisibilities = ['private', 'organization'] as const
export type BoardVisibility = (typeof boardVisibilities)[number]

export const boardBounds = {
  columns: 12,
  maxPanels: 100,
  /** Lowest row on which a panel may begin, and the height of a panel in rows. */
  maxRow: 1_000,
  maxHeight: 12,
  maxQueries: 5,
  maxExpressionLength: 4_000,
  maxTextLength: 4_000,
  maxTitleLength: 100,
  maxLegendLength: 200,
  /** Values of a variable that are chosen by name. */
  maxValues: 50,
  /** Older versions of a board are deleted. */
  keptVersions: 50,
  /** Panels that are compared with the weeks before, from the top. */
  maxReadPanels: 40,
  /** Characters of a file that is imported. */
  maxImportLength: 400_000,
} as const

export interface PanelQuery {
  /** PromQL; `$cluster`, `$namespace` and `$database` are replaced by the chosen names as a regular expression. */
  expr: string
  /** Names a series by its labels: `{{cluster}}`. Empty: its labels. */
  legend: string
}

export interface BoardPanel {
  /** Unique in its board. */
  id: string
  kind: PanelKind
  title: string
  /** Column 0–11 and row of the upper left corner. */
  x: number
  y: number
  /** In columns. */
  width: number
  /** In rows. */
  height: number
  queries: PanelQuery[]
  /** Id of the data source that evaluates them; absent: Bey's own store. */
  source?: string | undefined
  unit: PanelUnit
  /** Values from which on a figure is a warning, or a failure. */
  thresholds: { warn: number | null; danger: number | null }
  /** Shown by panels of kind `text`, as plain text. */
  text: string
}

/** What a board shows, without its name. */
export interface BoardDefinition {
  panels: BoardPanel[]
  variables: BoardVariable[]
  range: BoardRange
  compare: BoardCompare
}

/** The names chosen for each variable; empty or absent means all. */
export type BoardValues = Readonly<Partial<Record<BoardVariable, readonly string[]>>>

/** Replaces variables by regular expressions of the chosen names: `.+` for all, else the names escaped. */
export function filledExpression(expr: string, values: BoardValues): string {
  return expr.replace(/\$(cluster|namespace|database)\b/g, (_, name: BoardVariable) => {
    const chosen = values[name] ?? []
    if (chosen.length === 0) return '.+'
    // In a PromQL string a backslash is itself escaped.
    return chosen.map((value) => escapePattern(value).replace(/[\\"]/g, '\\$&')).join('|')
  })
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The name of a series: the legend with its labels filled in, else its labels, else the metric. */
export function seriesLabel(
  legend: string,
  { name, labels }: { name: string | null; labels: Readonly<Record<string, string>> },
): string {
  if (legend !== '') {
    const text = legend.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, label: string) => labels[label] ?? '').trim()
    if (text !== '') return text
  }
  const shown = Object.entries(labels).filter(([label]) => label !== 'entity' && label !== 'id')
  return shown.map(([, value]) => value).join(' · ') || name || 'value'
}
