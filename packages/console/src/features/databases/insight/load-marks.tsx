import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import type { ChartRange } from '../../../ui/chart/chart-types.ts'
import { cx } from '../../../ui/class-names.ts'
import { Link } from '../../../ui/link.tsx'
import { shortTime } from '../../../ui/time-text.ts'

/** Marks nearer than this share of the chart are one. */
const nearShare = 0.015

/** Deployments, runs, edits and failures as lines through a chart; those that are near each other are one line. */
export function LoadMarks({ marks, range }: { marks: readonly ChangeMark[]; range: ChartRange }) {
  return groupsOf(marks, range).map(({ share, group }) => {
    const [first] = group
    if (first === undefined) return null
    const hasFailed = group.some(({ kind }) => kind === 'failure')
    const text = group.map((mark) => `${shortTime(new Date(mark.at))} ${mark.text}`).join('\n')
    return (
      <Link
        key={first.at}
        href={first.href}
        aria-label={`${group.length === 1 ? 'Change' : `${group.length} changes, the first`}: ${first.text}`}
        title={text}
        style={{ left: `${share * 100}%` }}
        className="absolute inset-y-0 w-2.5 -translate-x-1/2"
      >
        <span
          className={cx(
            'mx-auto block h-full w-0 border-l',
            hasFailed ? 'border-danger' : 'border-dashed border-text-2',
          )}
        />
      </Link>
    )
  })
}

function groupsOf(marks: readonly ChangeMark[], { fromMs, toMs }: ChartRange) {
  const groups: { share: number; group: ChangeMark[] }[] = []
  for (const mark of marks) {
    const share = (mark.at - fromMs) / (toMs - fromMs)
    if (share < 0 || share > 1) continue
    const last = groups.at(-1)
    if (last !== undefined && share - last.share < nearShare) last.group.push(mark)
    else groups.push({ share, group: [mark] })
  }
  return groups
}
