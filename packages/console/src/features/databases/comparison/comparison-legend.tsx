import type { ComparedMetric } from '@bey/contract'
import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import { MarkLegend } from '../../../ui/chart/mark-lane.tsx'
import { formatMetric, metricMeanings } from './metric-choices.ts'

/** `usual`: each row ends at twice its own usual peak. `shared`: all rows end at the same value. */
export type Scale = 'usual' | 'shared'

interface LegendProps {
  metric: ComparedMetric
  scale: Scale
  /** The shared end of the rows. */
  top: number | undefined
  isTable: boolean
  onTableChange: (isTable: boolean) => void
  marks: readonly ChangeMark[]
}

/** What the lines are, and where their axis ends. */
export function ComparisonLegend({ metric, scale, top, isTable, onTableChange, marks }: LegendProps) {
  const kinds = [...new Set(marks.map(({ kind }) => kind))]
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-(--gutter) py-1 text-small text-text-2">
      <span className="grow">{metricMeanings[metric]}</span>
      <MarkLegend kinds={kinds} />
      <span>
        {metric === 'cache'
          ? '0 to 100%'
          : scale === 'shared' && top !== undefined
            ? `0 to ${formatMetric(metric, top)}`
            : '0 to 2 × its peak'}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="h-2 w-2 bg-line-strong opacity-55" /> usual
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="w-3.5 border-t-[1.5px] border-text-2" /> now
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden className="w-3.5 border-t-2 border-danger" data-live-color="" /> outside
      </span>
      <button
        type="button"
        aria-pressed={isTable}
        onClick={() => onTableChange(!isTable)}
        className="min-h-6 rounded-badge underline hover:text-accent-text touch:min-h-9"
      >
        {isTable ? 'Chart' : 'Table'}
      </button>
    </div>
  )
}
