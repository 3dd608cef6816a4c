import { groupMarks } from '../../../ui/chart/chart-layout.ts'
import { MarkShape } from '../../../ui/chart/mark-lane.tsx'
import type { ChartRange } from '../../../ui/chart/chart-types.ts'
import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import { cx } from '../../../ui/class-names.ts'
import { Link } from '../../../ui/link.tsx'
import { dayText, shortTime } from '../../../ui/time-text.ts'
import { type AxisTick, nominalPx, shareOf } from '../axis-ticks.ts'

interface AxisProps {
  range: ChartRange | undefined
  ticks: readonly AxisTick[]
  marks: readonly ChangeMark[]
}

/** The one time axis above all rows, with what changed when. */
export function ComparisonAxis({ range, ticks, marks }: AxisProps) {
  return (
    <span className="relative block h-12">
      {range === undefined ? <span className="sr-only">Over time</span> : null}
      {range === undefined
        ? null
        : groupMarks(marks, (at) => shareOf(at, range) * nominalPx.wide, range).map(({ x, marks: group }) => (
            <MarkLink key={x} share={x / nominalPx.wide} marks={group} />
          ))}
      {ticks.map(({ at, share, isLabelled, isDay }) => (
        <span
          key={at}
          aria-hidden
          style={{ left: `${share * 100}%` }}
          className={cx('absolute bottom-0 w-0 border-l border-line-strong', isLabelled ? 'h-2' : 'h-1')}
        >
          {isLabelled && share > 0.04 && share < 0.96 ? (
            <span className="absolute bottom-2 -translate-x-1/2 text-meta font-normal text-text-3 tabular-nums">
              {isDay ? dayText(new Date(at)) : shortTime(new Date(at))}
            </span>
          ) : null}
        </span>
      ))}
    </span>
  )
}

function MarkLink({
  share,
  marks,
}: {
  share: number
  marks: readonly { at: number; kind: ChangeMark['kind']; text: string; href?: string }[]
}) {
  const [first] = marks
  if (first === undefined) return null
  const worst =
    marks.find(({ kind }) => kind === 'failure') ?? marks.find(({ kind }) => kind === 'deploy') ?? first
  const text = marks.map((mark) => `${shortTime(new Date(mark.at))} ${mark.text}`).join('\n')
  return (
    <Link
      href={worst.href ?? ''}
      aria-label={`${marks.length === 1 ? 'Change' : `${marks.length} changes, one of them`}: ${worst.text}`}
      title={text}
      style={{ left: `${share * 100}%` }}
      className="absolute top-0 grid size-6 -translate-x-1/2 place-items-center rounded-badge"
    >
      <svg width={12} height={12} viewBox="-6 -6 12 12" aria-hidden>
        <MarkShape kind={worst.kind} />
      </svg>
    </Link>
  )
}
