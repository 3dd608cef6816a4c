import type { Database } from '../../../data/databases.ts'
import { useDatabaseSessions } from '../../../data/database-insight.ts'
import { formatCount } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { useSessionsAllowed } from '../overview/use-sessions-allowed.ts'
import type { RestorePlace } from './restore-place.ts'

const shown = 5
/** Clients come and go; nobody decides by the second here. */
const everyMs = 10_000

const besideText = 'Nobody: the new database has an address of its own.'
const addedText =
  'Nobody: a table is added, and no row that is there changes. Memory is taken for a server until it is done.'
const replacedText =
  'Whoever reads or writes the table waits while its rows are put in place; rows that were written after the moment are gone then.'

/** Whose work a restore interrupts, and when. */
export function AffectedSection({
  database,
  place,
  isReplacing,
}: {
  database: Database
  place: RestorePlace
  isReplacing: boolean
}) {
  const isAllowed = useSessionsAllowed(database)
  const { data } = useDatabaseSessions(database.id, isAllowed && place === 'swap', everyMs)
  if (place !== 'swap')
    return (
      <Section title="Who is affected">
        <p className="text-pretty text-text-2">
          {place === 'new' ? besideText : isReplacing ? replacedText : addedText}
        </p>
      </Section>
    )
  const clients = data?.clients ?? []
  const others = clients.slice(shown)
  return (
    <Section title="Who is affected" aside={data ? formatCount(data.total, 'connection') : null}>
      {clients.length === 0 ? null : (
        <ul className="border-b border-line">
          {clients.slice(0, shown).map(({ client, connections }) => (
            <li key={client} className="flex items-baseline gap-3 border-t border-line py-1">
              <span className="min-w-0 flex-1 truncate text-text-2" data-tooltip={client}>
                {client}
              </span>
              <span className="shrink-0">
                {formatCount(connections, 'connection')} {connections === 1 ? 'ends' : 'end'} at the swap
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-pretty text-text-2">
        {others.length === 0 ? '' : `And ${formatCount(others.length, 'other client')}. `}
        Nobody until the swap, which ends all connections; each is opened again at the same address.
      </p>
    </Section>
  )
}
