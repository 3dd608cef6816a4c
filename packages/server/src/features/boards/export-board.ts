import type { BoardDefinition, BoardPanel } from '@bey/contract/boards/rules'
import { grafanaScale, grafanaUnits, typeOfKind } from './grafana.ts'
import { boardFileKind } from './import-board.ts'

type Exported = { name: string; description: string; definition: BoardDefinition }

/** A board as a file of Bey or Grafana. `notes` says what the form cannot hold. */
export function exportedBoard({ name, description, definition }: Exported, format: 'bey' | 'grafana') {
  const fileName = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-') || 'board'}.json`
  if (format === 'bey') {
    const file = { kind: boardFileKind, name, description, definition }
    return { fileName, source: JSON.stringify(file, null, 2), notes: [] }
  }
  const notes = definition.panels
    .filter(({ unit }) => unit !== 'auto' && grafanaUnits[unit] === undefined)
    .map(({ title, unit }) => `"${title}" is exported without its unit ${unit}.`)
  const dashboard = {
    title: name,
    description,
    schemaVersion: 39,
    time: { from: `now-${definition.range}`, to: 'now' },
    templating: {
      list: definition.variables.map((variable) => ({
        name: variable,
        type: 'query',
        query: { query: `label_values(${variable})` },
        multi: true,
        includeAll: true,
        allValue: '.+',
        current: { text: 'All', value: '$__all' },
      })),
    },
    panels: definition.panels.map(grafanaPanel),
  }
  return { fileName, source: JSON.stringify(dashboard, null, 2), notes }
}

function grafanaPanel(panel: BoardPanel, index: number) {
  const { kind, title, queries, unit, thresholds, text, x, y, width, height } = panel
  const steps = [
    { color: 'green', value: null },
    ...(thresholds.warn === null ? [] : [{ color: 'orange', value: thresholds.warn }]),
    ...(thresholds.danger === null ? [] : [{ color: 'red', value: thresholds.danger }]),
  ]
  return {
    id: index + 1,
    type: typeOfKind[kind],
    title,
    gridPos: {
      x: x * grafanaScale.columns,
      y: y * grafanaScale.rows,
      w: width * grafanaScale.columns,
      h: height * grafanaScale.rows,
    },
    targets: queries.map(({ expr, legend }, place) => ({
      refId: String.fromCharCode(65 + place),
      expr,
      legendFormat: legend || '__auto',
    })),
    fieldConfig: {
      defaults: { unit: grafanaUnits[unit] ?? 'none', thresholds: { mode: 'absolute', steps } },
      overrides: [],
    },
    ...(kind === 'text' && { options: { mode: 'text', content: text } }),
  }
}
