import { History } from 'lucide-react'
import type { RunDetail } from '../../../data/workflows.ts'
import { keptText, recoveriesOf } from './recoveries.ts'
import { formatDuration } from '../../../lib/format.ts'
import { useTimeStyle } from '../../../ui/time-style.ts'
import { momentText } from '../../../ui/time-text.ts'

/** What happened to a run whose process died, in one calm line; nothing where none did. */
export function RecoveryLine({ detail }: { detail: RunDetail }) {
  useTimeStyle()
  const recoveries = recoveriesOf(detail)
  if (detail.run.recoveryCount === 0 && recoveries.length === 0) return null
  const last = recoveries.at(-1)
  const count = Math.max(detail.run.recoveryCount, recoveries.length)
  return (
    <p className="flex items-baseline gap-2.5 border-b border-line bg-sunken px-(--gutter) py-2.5">
      <History size={14} aria-hidden className="shrink-0 translate-y-0.5 text-text-3" />
      <span className="min-w-0 text-text-2">
        <span className="font-medium text-text">
          {last?.lostAt === undefined
            ? 'A process died while it worked on this run.'
            : `Process ${shortId(last.from)} was alive last at ${momentText(new Date(last.lostAt))}.`}
        </span>{' '}
        {last?.wentOnAt !== undefined && last.lostAt !== undefined
          ? `Process ${shortId(last.to)} continued after ${formatDuration(last.wentOnAt - last.lostAt)}. `
          : detail.run.status === 'needs_attention'
            ? 'The run waits for a person to decide. '
            : 'Another process continued it. '}
        {count > 1 ? `This happened ${count} times. ` : ''}
        {keptText(detail, recoveries)}
      </span>
    </p>
  )
}

/** Enough of a process's id to tell it from others. */
export const shortId = (executorId: string) => (executorId.length > 14 ? executorId.slice(-8) : executorId)
