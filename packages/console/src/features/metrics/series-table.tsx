import type { MetricQueryResult } from '@bey/contract'
import { metricValueText } from '../../entities/metrics/metric-format.ts'
import { Section } from '../../ui/section.tsx'
import { keyOfSeries, newestOf, seriesNames } from './series-text.ts'

/** Every series of the answer with its newest value and its share of all of them. */
export function SeriesTable({
  data: { series, unit, seriesCount },
  compared,
  onCompare,
}: {
  data: MetricQueryResult
  /** Key of the series that is compared with the weeks before. */
  compared: string | undefined
  onCompare: (key: string) => void
}) {
  const names = seriesNames(series)
  const newest = series.map(newestOf)
  const total = newest.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const hasShares =
    series.length > 1 &&
    seriesCount === series.length &&
    total > 0 &&
    newest.every((value) => (value ?? 0) >= 0)
  return (
    <Section title="Series" className="mt-6">
      <table className="w-full">
        <thead>
          <tr className="border-b border-line text-left text-small text-text-2">
            <th scope="col" className="py-1.5 pr-4 font-normal">
              Name
            </th>
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">
              Newest value
            </th>
            {hasShares ? (
              <th scope="col" className="w-2/5 py-1.5 pl-8 font-normal max-sm:hidden">
                Share of all series
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {series.map((each, index) => {
            const value = newest[index] ?? null
            const share = (value ?? 0) / total
            return (
              <tr key={names[index]} className="h-9 border-b border-line">
                <td className="max-w-0 truncate pr-4" title={names[index]}>
                  {series.length === 1 ? (
                    names[index]
                  ) : (
                    <button
                      type="button"
                      aria-pressed={keyOfSeries(each) === compared}
                      data-tooltip="Compare with the weeks before"
                      onClick={() => onCompare(keyOfSeries(each))}
                      className="max-w-full truncate rounded-badge underline-offset-4 hover:underline aria-pressed:font-semibold"
                    >
                      {names[index]}
                    </button>
                  )}
                </td>
                <td className="w-36 pl-4 text-right tabular-nums">{metricValueText(value, unit)}</td>
                {hasShares ? (
                  <td aria-label={`${Math.round(share * 100)}%`} className="pl-8 max-sm:hidden">
                    <span className="flex items-center gap-3">
                      <span aria-hidden className="h-1.5 min-w-0 flex-1 rounded-full bg-active">
                        <span
                          style={{ width: `${share * 100}%` }}
                          className="block h-full rounded-full bg-control"
                        />
                      </span>
                      <span className="w-10 text-right tabular-nums">{Math.round(share * 100)}%</span>
                    </span>
                  </td>
                ) : null}
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}
