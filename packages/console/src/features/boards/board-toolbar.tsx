import type { BoardDefinition } from '@bey/contract'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useChangeSearch } from '../../lib/change-search.ts'
import type { ChartRangeControl, Period } from '../../entities/metrics/chart-range.ts'
import { periodLabels } from '../../entities/metrics/chart-range.ts'
import { Button } from '../../ui/button.tsx'
import type { ChartMark } from '../../ui/chart/chart-types.ts'
import { MarkLegend } from '../../ui/chart/mark-lane.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import type { BoardSearch } from './board-search.ts'
import { namesIn } from './board-search.ts'
import type { BoardView } from './use-panel-data.ts'
import { VariableSelect } from './variable-select.tsx'

const periods: readonly Period[] = ['1h', '6h', '24h', '7d', '30d']
const compareOptions = [
  { value: 'none', label: 'without comparison' },
  { value: 'day', label: 'against the day before' },
  { value: 'week', label: 'against the week before' },
] as const

/** For what and for when a board is drawn. */
export function BoardToolbar({
  definition,
  search,
  range,
  view,
  marks,
}: {
  definition: BoardDefinition
  search: BoardSearch
  range: ChartRangeControl
  view: BoardView
  marks: readonly ChartMark[]
}) {
  const isPhone = useIsMobile()
  const change = useChangeSearch()
  const shift = (direction: -1 | 1) => {
    const toMs =
      (view.end === undefined ? Date.now() : Date.parse(view.end)) + direction * view.rangeSeconds * 1000
    if (toMs >= Date.now()) range.zoomOut?.()
    else range.zoom({ fromMs: toMs - view.rangeSeconds * 1000, toMs })
  }
  return (
    <Toolbar end={isPhone ? undefined : <Legend view={view} marks={marks} />}>
      {definition.variables.map((variable) => (
        <VariableSelect
          key={variable}
          variable={variable}
          chosen={namesIn(search, variable)}
          onChange={(names) => change({ [variable]: names.join(',') })}
        />
      ))}
      <Segmented
        label="Range"
        options={periods.map((value) => ({ value, label: periodLabels[value] }))}
        value={range.period}
        onChange={range.choose}
      />
      {/* Together on one line, however narrow. */}
      <span className="flex gap-2">
        <IconButton
          size="small"
          label="Earlier"
          icon={<ChevronLeft size={16} aria-hidden />}
          onClick={() => shift(-1)}
        />
        <IconButton
          size="small"
          label="Later"
          icon={<ChevronRight size={16} aria-hidden />}
          disabledReason={view.end === undefined ? 'The range ends now.' : undefined}
          onClick={() => shift(1)}
        />
      </span>
      {range.zoomOut ? (
        <Button size="small" variant="ghost" onClick={range.zoomOut}>
          Reset zoom
        </Button>
      ) : null}
      <Select
        controlSize="small"
        aria-label="Comparison"
        options={compareOptions}
        value={view.compare}
        onChange={(event) =>
          change({ compare: event.target.value === definition.compare ? undefined : event.target.value })
        }
      />
    </Toolbar>
  )
}

function Legend({ view, marks }: { view: BoardView; marks: readonly ChartMark[] }) {
  const kinds = [...new Set(marks.map(({ kind }) => kind))]
  return (
    <span className="flex items-center gap-3 text-small text-text-2 max-lg:hidden">
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="h-0.5 w-3 bg-chart-1" />
        now
      </span>
      {view.compare === 'none' ? null : (
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden className="w-3 border-t border-dashed border-text-3" />
          {view.compare} before
        </span>
      )}
      <MarkLegend kinds={kinds} />
    </span>
  )
}
