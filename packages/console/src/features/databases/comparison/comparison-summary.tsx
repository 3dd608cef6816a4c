import type { ComparedDatabase } from '@bey/contract'
import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import { formatCount } from '../../../lib/format.ts'
import { Link } from '../../../ui/link.tsx'
import { sinceText } from '../../../ui/time-text.ts'
import { summaryText } from '../summary-text.ts'
import { departureOf, namesText } from './comparison-text.ts'

interface Props {
  summary: Parameters<typeof summaryText>[0] & { outside: number }
  rows: readonly ComparedDatabase[]
  marks: readonly ChangeMark[]
}

/** "3 of 12 databases are out of their usual band. orders and ledger left it together at 14:08, 4 min after …" */
export function ComparisonSummary({ summary, rows, marks }: Props) {
  const { outside, total, unreachable } = summary
  // A run of Bey is no change of a database.
  const departure = departureOf(
    rows,
    marks.filter(({ kind }) => kind === 'deploy' || kind === 'edit'),
  )
  if (outside === 0) {
    const hasUsual = rows.some(({ usual }) => usual !== null)
    return (
      <>
        {summaryText(summary)}
        {hasUsual && unreachable === 0 ? ' None is out of its usual band.' : null}
      </>
    )
  }
  return (
    <>
      <span className="font-medium text-warn">
        {outside} of {formatCount(total, 'database')} {outside === 1 ? 'is' : 'are'} out of{' '}
        {outside === 1 ? 'its' : 'their'} usual band.
      </span>{' '}
      {departure === undefined ? null : (
        <>
          {namesText(departure.names)} left it{departure.names.length > 1 ? ' together' : ''} at{' '}
          {sinceText(departure.since)}
          {departure.after === undefined ? null : (
            <>
              , {departure.after.minutes} min after{' '}
              <Link href={departure.after.href} className="underline hover:text-accent-text">
                {departure.after.text}
              </Link>
            </>
          )}
          .
        </>
      )}
      {unreachable > 0 ? ` ${summaryText({ ...summary, attention: unreachable })}` : null}
    </>
  )
}
