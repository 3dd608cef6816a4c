import { cx } from '../../../ui/class-names.ts'
import { momentText } from '../../../ui/time-text.ts'
import { formatDuration } from '../../../lib/format.ts'
import type { RestoreMoment } from './restore-moments.ts'

/** Moments by what happened then; what is chosen is the moment to restore. Until `untilMs` changes are recorded. */
export function MomentChoices({
  moments,
  atMs,
  untilMs,
  onChoose,
}: {
  moments: readonly RestoreMoment[]
  atMs: number | undefined
  untilMs: number
  onChoose: (atMs: number) => void
}) {
  if (moments.length === 0) return null
  return (
    <fieldset className="rounded-card border border-line">
      <legend className="sr-only">By what happened</legend>
      {moments.map(({ atMs: moment, text, isStatement }, index) => (
        <label
          key={`${moment} ${text}`}
          className={cx(
            'flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2',
            index > 0 && 'border-t border-line',
            moment === atMs && 'bg-accent-soft',
          )}
        >
          <input
            type="radio"
            name="moment"
            className="size-4 accent-accent"
            checked={moment === atMs}
            onChange={() => onChoose(moment)}
          />
          <span className="font-medium tabular-nums">{momentText(new Date(moment).toISOString())}</span>
          <span className={cx('min-w-0 flex-1 basis-48 break-words', isStatement && 'font-mono text-small')}>
            {text}
          </span>
          <span className="text-small text-text-2">
            {untilMs - moment < 1_000 ? 'the latest' : `leaves ${formatDuration(untilMs - moment)} behind`}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
