import { useNow } from '../../../lib/now.ts'
import { Notice } from '../../../ui/notice.tsx'
import { absoluteTime } from '../../../ui/time-text.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { cronText } from './cron-text.ts'

/** When a cron job starts jobs: in words, as it is written, and the next times in the reader's own time. */
export function CronSchedule({
  schedule,
  timeZone,
  isSuspended,
}: {
  schedule: string
  timeZone: string | null
  isSuspended: boolean
}) {
  const now = useNow(true)
  const text = cronText(schedule, timeZone, new Date(now))
  return (
    <div className="grid gap-3">
      <p>
        {'words' in text ? <span className="font-medium">{text.words}</span> : null}{' '}
        <code className="font-mono text-small text-text-2">{schedule}</code>
        <span className="text-text-2">, {timeZone ?? 'UTC unless the schedule says otherwise'}</span>
      </p>
      {isSuspended ? (
        <Notice tone="warn" title="Suspended">
          No job is started until it is resumed.
        </Notice>
      ) : null}
      {'problem' in text ? (
        <Notice tone="warn" title="The next times are not known">
          {text.problem}
        </Notice>
      ) : null}
      {'next' in text && !isSuspended ? (
        <ol className="grid gap-1 text-text-2" aria-label="Next times">
          {text.next.map((time) => (
            <li key={time.getTime()} className="flex flex-wrap justify-between gap-x-4">
              <span>{absoluteTime(time)}</span>
              <RelativeTime at={time} />
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  )
}
