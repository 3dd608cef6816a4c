import { cx } from '../../../ui/class-names.ts'
import { momentText } from '../../../ui/time-text.ts'
import { formatDuration } from '../../../lib/format.ts'
import type { RestoreMoment } from './restore-moments.ts'

/** Moments by what happened then; what is chosen is the moment to restore. Until `untilMs` changes are recorded. */
export function MomentChoices({
  moments,
  chosen,
  untilMs,
  onChoose,
}: {
  moments: readonly RestoreMoment[]
  chosen: string | undefined
  untilMs: number
  onChoose: (moment: RestoreMoment) => void
}) {
  if (moments.length === 0) return null
  return (
    <fieldset className="overflow-hidden rounded-card border border-line">
      <legend className="sr-only">By what happened</legend>
      {moments.map((moment, index) => (
        <label
          key={moment.key}
          className={cx(
            'flex min-h-9 cursor-pointer items-baseline gap-x-3 px-3 py-2 touch:min-h-11',
            index > 0 && 'border-t border-line',
            moment.key === chosen && 'bg-accent-soft',
          )}
        >
          <input
            type="radio"
            name="moment"
            className="size-4 shrink-0 self-center accent-accent max-sm:self-start"
            checked={moment.key === chosen}
            onChange={() => onChoose(moment)}
          />
          <span className="min-w-16 shrink-0 font-medium tabular-nums">
            {momentText(new Date(moment.atMs))}
          </span>
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 flex-1 basis-48 break-words">
              <span className={cx(moment.isStatement && 'font-medium')}>{moment.text}</span>
              {moment.detail === '' ? null : <span className="text-text-2">, {moment.detail}</span>}
            </span>
            <span className="text-small text-text-2 tabular-nums">
              {untilMs - moment.atMs < 1_000
                ? 'the latest'
                : `${index === 0 ? 'leaves ' : ''}${lengthText(untilMs - moment.atMs)}${index === 0 ? ' behind' : ''}`}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** "45 min": seconds count only while there are few of them. */
const lengthText = (ms: number) =>
  ms < 120_000 || ms >= 3_600_000 ? formatDuration(ms) : `${Math.floor(ms / 60_000)} min`
