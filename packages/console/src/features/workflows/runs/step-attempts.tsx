import type { StepAttempt } from '@bey/contract'
import { formatElapsed } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { Status } from '../../../ui/status.tsx'
import { TableCard } from '../../../ui/table-card.tsx'
import { useTimeStyle } from '../../../ui/time-style.ts'
import { lineTime } from '../../../ui/time-text.ts'
import { shortId } from './recovery-line.tsx'

/** Each attempt of a step: when, in which process, how it ended. */
export function StepAttempts({ attempts }: { attempts: readonly StepAttempt[] }) {
  useTimeStyle()
  const now = useNow(attempts.some(({ finishedAt }) => finishedAt === null))
  if (attempts.length === 0) return <p className="text-text-3">This step has not begun.</p>
  return (
    <TableCard>
      <table className="w-full">
        <thead>
          <tr className="text-left text-small text-text-2">
            {['Attempt', 'Result', 'Began', 'Took', 'Process'].map((head) => (
              <th
                key={head}
                scope="col"
                className="h-8 border-b border-line px-3 font-normal last:max-sm:hidden"
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {attempts.map((attempt) => (
            <tr key={attempt.attempt} className="align-top">
              <td className="px-3 py-2 tabular-nums">{attempt.attempt}</td>
              <td className="px-3 py-2">
                <Status
                  of="run"
                  status={attempt.status === 'interrupted' ? 'uncertain' : attempt.status}
                  label={attempt.status === 'interrupted' ? 'process died' : undefined}
                />
                {attempt.error ? (
                  <span className="block break-words text-danger">{attempt.error.message}</span>
                ) : null}
              </td>
              <td className="px-3 py-2 whitespace-nowrap text-text-2 tabular-nums">
                {lineTime(new Date(attempt.startedAt))}
              </td>
              <td className="px-3 py-2 whitespace-nowrap text-text-2 tabular-nums">
                {formatElapsed(attempt.startedAt, attempt.finishedAt, now)}
              </td>
              <td className="px-3 py-2 max-sm:hidden">
                <code className="font-mono text-small text-text-2" title={attempt.executorId}>
                  {shortId(attempt.executorId)}
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  )
}
