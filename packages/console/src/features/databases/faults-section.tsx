import {
  type DatabaseFaultKind,
  databaseFaultKinds,
  databaseFaults,
  deniedReason,
  faultRefusal,
} from '@bey/contract'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../data/databases.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { clockTime } from '../../ui/time-text.ts'

const spans = [
  { value: '15', label: '15 s' },
  { value: '60', label: '1 min' },
  { value: '600', label: '10 min' },
] as const
type Span = (typeof spans)[number]['value']

/** What can be broken on purpose in a database of this machine, to see how it looks and how it is found. */
export function FaultsSection({ database }: { database: Database }) {
  const [span, setSpan] = useState<Span>('60')
  return (
    <Section
      title="Break something"
      isCard
      aside={<Segmented label="How long" options={spans} value={span} onChange={setSpan} />}
    >
      <p className="text-text-2">
        Faults for practice: each disturbs the users of this database, ends by itself, and is in the audit
        log.
      </p>
      <ul className="mt-3 divide-y divide-line border-t border-line">
        {databaseFaultKinds.map((kind) => (
          <FaultRow key={kind} database={database} kind={kind} seconds={Number(span)} />
        ))}
      </ul>
    </Section>
  )
}

function FaultRow({
  database,
  kind,
  seconds,
}: {
  database: Database
  kind: DatabaseFaultKind
  seconds: number
}) {
  const change = useChange('databases.break')
  const end = useChange('databases.endFault')
  const denied = deniedReason(useRole(), 'databases.break')
  const stale = useStaleReason()
  const filledUntil = kind === 'fill_quota' ? (database.figures?.diskQuota?.filledUntil ?? null) : null
  const { title, about } = databaseFaults[kind]
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-medium">{title}</h3>
        <p className="mt-0.5 text-text-2">{about}</p>
        <div aria-live="polite">
          {change.data ? (
            <p className="mt-1 text-small text-warn">
              {change.data.text}{' '}
              {change.data.endsAt === null ? '' : `It ends by ${clockTime(new Date(change.data.endsAt))}.`}
            </p>
          ) : null}
        </div>
        {(change.error ?? end.error) ? (
          <div className="mt-2">
            <Notice tone="danger" title={`Failed: ${title}`}>
              {causeOf(change.error ?? end.error)}
            </Notice>
          </div>
        ) : null}
      </div>
      {filledUntil === null ? null : (
        <Button
          size="small"
          busy={end.isPending}
          disabledReason={denied ?? stale}
          onClick={() => end.mutate({ params: { id: database.id } }, { onSuccess: () => change.reset() })}
        >
          End fault
        </Button>
      )}
      <Button
        size="small"
        icon={<Zap size={14} aria-hidden />}
        busy={change.isPending}
        disabledReason={denied ?? stale ?? faultRefusal(database)}
        onClick={() => change.mutate({ params: { id: database.id }, body: { kind, seconds } })}
      >
        {title}
      </Button>
    </li>
  )
}
