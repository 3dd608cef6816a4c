import type { ReactNode } from 'react'
import { Link } from '../../../ui/link.tsx'
import type { ReportPhase } from './queue.ts'
import { useReport } from './reporter.ts'

const texts: Record<ReportPhase | 'unknown', string> = {
  sent: 'Our team has been notified.',
  waiting: 'Our team is being notified …',
  sending: 'Our team is being notified …',
  delayed: 'Our team will be notified once the server answers.',
  refused: 'Our team could not be notified. Copy the report below and send it to them.',
  skipped:
    'Our team was not notified, because no one is signed in. Copy the report below and send it to them.',
  unknown: 'Our team was not notified. Copy the report below and send it to them.',
}

/** Says whether the organization knows of the error, and nothing that is not so. */
export function Notified({ error }: { error: unknown }): ReactNode {
  const report = useReport(error)
  return (
    <p className="mt-1 text-text-2">
      <output>{texts[report?.phase ?? 'unknown']}</output>
      {report?.phase === 'sent' && report.errorId !== undefined ? (
        <>
          {' '}
          <Link href={`/errors/${report.errorId}`} className="font-medium text-accent-text hover:underline">
            See it in the error viewer
          </Link>
        </>
      ) : null}
    </p>
  )
}
