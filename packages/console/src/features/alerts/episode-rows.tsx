import { seriesText } from '@bey/contract/alerts/rules'
import type { AlertHistory } from '../../data/alerts.ts'
import { formatCount, formatDuration } from '../../lib/format.ts'
import type { ChartMark } from '../../ui/chart/chart-types.ts'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { momentText } from '../../ui/time-text.ts'
import { changeBefore } from './change-before.ts'

/** Each time that the alert fired: when, for how long, how far, and what came of it. */
export function EpisodeRows({
  history: { episodes, total },
  format,
  marks,
}: {
  history: AlertHistory
  format: (value: number) => string
  /** What changed in the time of the chart above. */
  marks: readonly ChartMark[]
}) {
  return (
    <Section title="Fired" aside={total === 0 ? undefined : `${formatCount(total, 'time')} in 90 days`}>
      {episodes.length === 0 ? (
        <p className="border-t border-line py-3 text-text-2">It has not fired yet.</p>
      ) : (
        <ul className="border-t border-line">
          {episodes.map((episode) => (
            <li
              key={episode.id}
              className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line py-2.5 sm:grid-cols-[1rem_minmax(0,6rem)_minmax(0,8rem)_minmax(0,4.5rem)_minmax(0,1.3fr)_minmax(0,1fr)]"
            >
              <span className={episode.resolvedAt === null ? 'text-danger' : 'text-text-3'}>
                <StatusMark glyph={episode.resolvedAt === null ? 'triangle' : 'check'} />
              </span>
              <span className="font-medium">{momentText(episode.firedAt)}</span>
              <span className="text-text-2">{lasted(episode)}</span>
              <span className="tabular-nums max-sm:hidden">
                {episode.peak === null ? '—' : format(episode.peak)}
              </span>
              <span className="truncate text-text-2 max-sm:hidden">{placeText(episode, marks)}</span>
              <span className="truncate text-text-2 max-sm:col-start-2">{actText(episode)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Where it fired, and what changed shortly before. */
function placeText(
  { labels, firedAt }: AlertHistory['episodes'][number],
  marks: readonly ChartMark[],
): string {
  return [seriesText(labels), changeBefore(marks, Date.parse(firedAt), labels['cluster'])]
    .filter(Boolean)
    .join(', ')
}

function lasted({ firedAt, resolvedAt }: AlertHistory['episodes'][number]): string {
  const ms = (resolvedAt === null ? Date.now() : Date.parse(resolvedAt)) - Date.parse(firedAt)
  return `${formatDuration(Math.max(0, ms))}${resolvedAt === null ? ' so far' : ''}`
}

function actText({
  acknowledgedBy,
  acknowledgedAt,
  isActedOn,
  isSilenced,
}: AlertHistory['episodes'][number]) {
  if (acknowledgedBy && acknowledgedAt)
    return `${acknowledgedBy.name} acknowledged it ${momentText(acknowledgedAt)}`
  if (isSilenced) return 'nobody was notified: silenced'
  return isActedOn ? 'silenced' : 'nobody acted on it'
}
