import { databaseMetrics } from '@bey/contract'
import { averagesOf, timesOf, useMetrics } from '../../../data/metrics.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { writtenPicture } from './written-picture.ts'

const height = 48

interface RowsWrittenProps {
  databaseId: string
  range: { fromMs: number; toMs: number }
  /** The chosen moment, in ms since 1970: what was written after it is left behind. */
  atMs: number | undefined
}

/** Rows that statements wrote a second over the shown time, as they were measured; nothing where nothing was. */
export function RowsWritten({ databaseId, range, atMs }: RowsWrittenProps) {
  const [box, width] = useWidth()
  const { fromMs, toMs } = range
  const { data } = useMetrics({
    entity: 'database',
    ids: [databaseId],
    metrics: [databaseMetrics.rowsWritten],
    rangeSeconds: Math.round((toMs - fromMs) / 1_000),
  })
  const values = averagesOf(data, databaseId, databaseMetrics.rowsWritten)
  const picture =
    data && values ? writtenPicture(timesOf(data), values, data.stepMs, range, width, height) : undefined
  const cut =
    atMs === undefined || atMs < fromMs || atMs > toMs
      ? undefined
      : ((atMs - fromMs) / (toMs - fromMs)) * width
  return (
    <figure ref={box} className={picture === undefined ? 'h-0' : 'min-w-0'}>
      {picture === undefined ? null : (
        <>
          <figcaption className="mb-1 flex flex-wrap justify-between gap-x-4 text-small">
            <span className="font-medium">Rows written a second</span>
            <span className="text-text-2 tabular-nums">{`at most ${formatNumber(Math.round(picture.most))}`}</span>
          </figcaption>
          <svg width={width} height={height} aria-hidden className="block">
            {cut === undefined ? null : (
              <rect x={cut} width={width - cut} height={height} className="fill-sunken" />
            )}
            {picture.areas.map((points) => (
              <polygon
                key={points.slice(0, 24)}
                points={points}
                className="fill-accent-soft stroke-chart-1"
              />
            ))}
            <path d={`M0 ${height - 0.5}H${width}`} className="stroke-line" />
            {cut === undefined ? null : (
              <text x={width - 4} y={12} textAnchor="end" className="fill-text-2 text-meta">
                {width - cut > 70 ? 'left behind' : ''}
              </text>
            )}
          </svg>
        </>
      )}
    </figure>
  )
}
