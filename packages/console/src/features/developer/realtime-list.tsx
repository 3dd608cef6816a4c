import { cx } from '../../ui/class-names.ts'
import { clockTime } from '../../ui/time-text.ts'
import type { RealtimeMessage } from './realtime-messages.ts'

const emptyText = 'No workflow messages received yet. Execute a workflow to see real-time updates.'

export interface RealtimeListProps {
  messages: readonly RealtimeMessage[]
  /** In a box of its own that scrolls, for a dialog that goes on below. */
  isBounded?: boolean
}

/** Messages of workflows, newest first. */
export function RealtimeList({ messages, isBounded = false }: RealtimeListProps) {
  if (messages.length === 0) return <p className="text-text-3">{emptyText}</p>
  return (
    <ol
      aria-label="Workflow messages"
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isBounded ? 0 : undefined}
      className={cx('divide-y divide-line', isBounded && 'max-h-72 overflow-y-auto')}
    >
      {messages.toReversed().map((message) => (
        <li key={message.id} className="py-1.5 text-small">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <time dateTime={message.timestamp} className="font-mono text-text-3 tabular-nums">
              {clockTime(new Date(message.timestamp))}
            </time>
            <span className="font-medium">{message.type}</span>
            {message.progress > 0 ? (
              <span className="ml-auto text-text-3 tabular-nums">{message.progress}%</span>
            ) : null}
          </p>
          <p className="break-words text-text-2">
            {[message.stepName, message.stepStatus, message.message].filter(Boolean).join(' · ') || '—'}
          </p>
          <p className="truncate font-mono text-meta text-text-3">
            {message.clusterId === null ? '' : `cluster ${message.clusterId} · `}
            {message.workflowId}
          </p>
        </li>
      ))}
    </ol>
  )
}
