import { engineFamily } from '@bey/contract'
import type { Database } from '../../../data/databases.ts'
import { formatDuration, formatNumber } from '../../../lib/format.ts'
import { Facts } from '../../../ui/facts.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'

type Figures = NonNullable<Database['figures']>

/** What the sessions of a server do. */
export function SessionFacts({ database, figures }: { database: Database; figures: Figures }) {
  const { active, idle, idleInTransaction, waiting, longestQueryMs, at } = figures
  return (
    <Section
      title="Sessions"
      aside={
        <>
          measured <RelativeTime at={at} />
        </>
      }
    >
      <Facts
        facts={[
          ...(active === null ? [] : [{ label: 'Active', value: formatNumber(active) }]),
          ...(waiting === null
            ? []
            : [
                engineFamily(database.engine) === 'redis'
                  ? { label: 'In a command that blocks', value: formatNumber(waiting) }
                  : { label: 'Waiting for a lock', value: <Warned value={waiting} /> },
              ]),
          ...(idleInTransaction === null
            ? []
            : [{ label: 'Idle in a transaction', value: <Warned value={idleInTransaction} /> }]),
          ...(idle === null ? [] : [{ label: 'Idle', value: formatNumber(idle) }]),
          // Where the server does not say what its sessions do, it does not say how long either.
          ...(active === null
            ? []
            : [
                {
                  label: 'Longest statement now',
                  value: longestQueryMs === null ? 'none runs' : formatDuration(longestQueryMs),
                },
              ]),
        ]}
      />
      <p className="mt-2 text-small text-text-3">
        {database.engine === 'postgres'
          ? 'Sessions of Bey itself do not count.'
          : 'The connection by which Bey asks does not count.'}
      </p>
    </Section>
  )
}

function Warned({ value }: { value: number }) {
  return <span className={value > 0 ? 'text-warn' : undefined}>{formatNumber(value)}</span>
}
