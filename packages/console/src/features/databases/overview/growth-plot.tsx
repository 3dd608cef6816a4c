import { type DatabaseGrowth, databaseMetrics, databaseSizes } from '@bey/contract'
import type { Database } from '../../../data/databases.ts'
import { averagesOf, timesOf, useMetrics } from '../../../data/metrics.ts'
import { formatBytes } from '../../../lib/format.ts'
import { dayText } from '../../../ui/time-text.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { growthText } from '../use-growth.ts'
import { growthPicture } from './growth-picture.ts'

const height = 64

interface GrowthPlotProps {
  database: Database
  limitBytes: number | null
  growth: DatabaseGrowth | undefined
}

/** The size in the last week, and where its straight line meets the limit; nothing where less than an hour is known. */
export function GrowthPlot({ database, limitBytes, growth }: GrowthPlotProps) {
  const [box, width] = useWidth()
  const { data } = useMetrics(databaseSizes([database.id]))
  const sizes = data && averagesOf(data, database.id, databaseMetrics.size)
  const picture =
    data && sizes
      ? growthPicture({ times: timesOf(data), sizes, limitBytes, growth }, width, height)
      : undefined
  const words = growthText(growth)
  return (
    <div ref={box} className="mt-1 min-w-0">
      {picture === undefined ? (
        <p className="text-small text-text-3">How it grows is known once it was measured for a day.</p>
      ) : (
        <>
          <svg
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
            role="img"
            aria-label={`Size in the last week, now ${formatBytes(picture.lastBytes)}${words === '' ? '' : `; ${words}`}`}
            width={width}
            height={height}
            data-live-color=""
            className="block"
          >
            <path d={`M0 ${height - 0.5}H${width}`} className="stroke-line" />
            {picture.limitY === undefined ? null : (
              <path d={`M0 ${picture.limitY}H${width}`} strokeDasharray="4 3" className="stroke-text-2" />
            )}
            <path d={picture.past} fill="none" strokeWidth={1.5} className="stroke-chart-1" />
            {picture.full === undefined ? null : (
              <>
                <path
                  d={`M${picture.now.x} ${picture.now.y}L${picture.full.x} ${picture.full.y}`}
                  strokeWidth={1.5}
                  strokeDasharray="4 3"
                  className="stroke-warn"
                />
                <path
                  d={`M${picture.full.x} ${picture.full.y - 4}v8`}
                  strokeWidth={2}
                  className="stroke-warn"
                />
              </>
            )}
            <circle cx={picture.now.x} cy={picture.now.y} r={3} className="fill-chart-1" />
          </svg>
          <p className="relative h-5 text-meta text-text-3 tabular-nums">
            <span className="absolute left-0">{dayText(new Date(picture.fromMs))}</span>
            <span className="absolute -translate-x-1/2" style={{ left: picture.now.x }}>
              today
            </span>
            {picture.full === undefined ? null : (
              <span className="absolute right-0 text-warn">{`full ${dayText(new Date(picture.full.atMs))}`}</span>
            )}
          </p>
        </>
      )}
    </div>
  )
}
