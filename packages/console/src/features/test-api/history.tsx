import { formatDuration } from '../../lib/format.ts'
import type { RawCall, RawReply } from '../../lib/raw-call.ts'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import type { CallInput } from './call.ts'
import { Method } from './method.tsx'

/** A call that was sent during this visit, with what was typed for it. */
export interface PastCall {
  id: number
  operationId: string
  input: CallInput
  call: RawCall
  /** A text where there was no answer. */
  outcome: RawReply | string
}

/** What was sent during this visit, newest first; choosing one brings its input and reply back. */
export function History({
  calls,
  onChoose,
}: {
  calls: readonly PastCall[]
  onChoose: (call: PastCall) => void
}) {
  if (calls.length === 0) return null
  return (
    <Section title="Sent during this visit">
      <ul className="divide-y divide-line rounded-control border border-line">
        {calls.map((past) => (
          <li key={past.id}>
            <button
              type="button"
              onClick={() => onChoose(past)}
              className="flex min-h-8 w-full items-center gap-2 px-3 py-1 text-left hover:bg-hover"
            >
              <Method method={past.call.method} />
              <span className="min-w-0 flex-1 truncate font-mono text-small">{past.call.path}</span>
              {typeof past.outcome === 'string' ? (
                <Status status="failed" label="no answer" />
              ) : (
                <>
                  <Status
                    status={past.outcome.status < 400 ? 'completed' : 'failed'}
                    label={String(past.outcome.status)}
                  />
                  <span className="w-16 shrink-0 text-right text-text-3 tabular-nums">
                    {formatDuration(past.outcome.durationMs)}
                  </span>
                </>
              )}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
