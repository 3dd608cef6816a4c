import type { BoardCompare, BoardPanel, BoardValues } from '@bey/contract'
import { filledExpression } from '@bey/contract'
import { useMetricQueries } from '../../data/boards.ts'
import { panelData } from './panel-data.ts'

/** What all panels of a board share. */
export interface BoardView {
  values: BoardValues
  rangeSeconds: number
  /** RFC 3339; now by default, and then it moves on. */
  end: string | undefined
  compare: BoardCompare
}

/** Panels that say in a figure how something is now. */
const kindsOfNow: ReadonlySet<BoardPanel['kind']> = new Set(['series', 'stat', 'top', 'table'])
/** For how long a value counts as the one of now, as in Prometheus. */
const lookbackSeconds = 300

const offsets = { none: 0, day: 86_400_000, week: 604_800_000 } as const

/** What a panel shows. Nothing is asked before `isSeen`. */
export function usePanelData(panel: BoardPanel, view: BoardView, isSeen: boolean) {
  const { values, rangeSeconds, end, compare } = view
  const asked = panel.kind === 'text' ? [] : panel.queries.filter(({ expr }) => expr !== '')
  const { source } = panel
  const filled = (expr: string) => ({
    expr: filledExpression(expr, values),
    ...(source !== undefined && { source }),
  })
  const now = useMetricQueries(
    asked.map(({ expr }) => ({
      ...filled(expr),
      range: rangeSeconds,
      ...(end !== undefined && { end }),
    })),
    isSeen,
  )
  const hasLatest = kindsOfNow.has(panel.kind)
  const latest = useMetricQueries(
    hasLatest
      ? asked.map(({ expr }) => ({
          ...filled(expr),
          range: lookbackSeconds,
          ...(end !== undefined && { end }),
        }))
      : [],
    isSeen,
  )
  const [first] = now.answers
  const offset = offsets[compare]
  const hasBefore = offset > 0 && panel.kind !== 'heatmap' && panel.kind !== 'history'
  const before = useMetricQueries(
    first && hasBefore
      ? asked.map(({ expr }) => ({
          ...filled(expr),
          range: rangeSeconds,
          end: new Date(Date.parse(first.to) - 1 - offset).toISOString(),
        }))
      : [],
    isSeen,
  )
  const legends = asked.map(({ legend }) => legend)
  return {
    data:
      first && now.isComplete && latest.isComplete
        ? panelData({
            answers: now.answers,
            latest: hasLatest ? latest.answers : now.answers,
            before: before.answers,
            legends,
            offset,
            durationMs: now.durationMs,
          })
        : undefined,
    error: now.error ?? latest.error,
    isFetching: now.isFetching,
    refetch: () => Promise.all([now.refetch(), latest.refetch()]),
    hasQueries: asked.length > 0,
  }
}
