import { limitOf } from '@bey/contract/alerts/rules'
import type { UseQueryResult } from '@tanstack/react-query'
import type { AlertReplay, ReplayDraft } from '../../data/alerts.ts'
import { judgedUnit, unitText } from '../../entities/alerts/alert-text.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { LimitRows } from './limit-rows.tsx'
import type { ChartMark } from '../../ui/chart/chart-types.ts'
import { ReplayChart } from './replay-chart.tsx'

/** A draft is compared with other limits, not with what changed. */
const noMarks: readonly ChartMark[] = []

/** Beside the form: how often the draft would have fired, and how often with other limits. */
export function ReplaySummary({
  judged,
  replay,
  onLimit,
}: {
  judged: Pick<ReplayDraft, 'condition'> | undefined
  replay: UseQueryResult<AlertReplay>
  onLimit: (limit: number) => void
}) {
  const { data, error } = replay
  if (judged === undefined)
    return (
      <Section title="Would it have fired?" isCard>
        <p className="text-text-2">Once the rule is complete, the last 7 days are replayed here.</p>
      </Section>
    )
  if (error)
    return (
      <Notice tone="danger" title="The draft cannot be replayed">
        {causeOf(error)}
      </Notice>
    )
  if (!data) return <p className="text-text-2">Replaying…</p>
  const unit = judgedUnit({ condition: judged.condition, unit: data.unit })
  const format = (value: number) => unitText(value, unit)
  return (
    <div className="flex flex-col gap-6">
      <Section title="Would it have fired?" isCard>
        {data.matches === null || data.seriesCount > 0 ? (
          <p className="pb-2 font-medium">{replaySentence(data)}</p>
        ) : null}
        {data.matches ? <MatchRows matches={data.matches} /> : null}
        {data.series.length > 0 ? (
          <ReplayChart
            replay={data}
            limit={limitOf(judged.condition)}
            format={format}
            marks={noMarks}
            onLimit={onLimit}
          />
        ) : null}
        {data.warnings.map((warning) => (
          <p key={warning} className="pt-1 text-small text-text-2">
            {warning}
          </p>
        ))}
      </Section>
      {data.limits.length > 0 ? (
        <LimitRows replay={data} current={limitOf(judged.condition)} format={format} onLimit={onLimit} />
      ) : null}
    </div>
  )
}

/** What a query of the inventory matches now. */
function MatchRows({ matches: { total, first } }: { matches: NonNullable<AlertReplay['matches']> }) {
  return (
    <>
      <p className="pb-1 font-medium">
        {total === 0
          ? 'Nothing matches now.'
          : `${formatCount(total, 'resource')} ${total === 1 ? 'matches' : 'match'} now.`}
      </p>
      <ul className="pb-2">
        {first.map(({ id, kind, name, place }) => (
          <li key={id} className="flex justify-between gap-4 py-0.5">
            <Link href={`/resources/${encodeURIComponent(id)}`} className="min-w-0 truncate">
              {name}
            </Link>
            <span className="shrink-0 text-small text-text-2">
              {place === '' ? kind : `${kind} in ${place}`}
            </span>
          </li>
        ))}
      </ul>
      {total > first.length ? (
        <p className="pb-2 text-small text-text-2">{formatCount(total - first.length, 'more', 'more')}</p>
      ) : null}
    </>
  )
}

/** "Would have fired 3 times in 7 days, in 2 series." */
export function replaySentence({ episodeCount, seriesCount, days }: AlertReplay): string {
  if (seriesCount === 0)
    return `The expression selects nothing that was measured in ${formatCount(days, 'day')}.`
  const times =
    episodeCount === 0
      ? 'It would not have fired'
      : `It would have fired ${formatCount(episodeCount, 'time')}`
  return `${times} in ${formatCount(days, 'day')}. It watches ${formatCount(seriesCount, 'series', 'series')}.`
}
