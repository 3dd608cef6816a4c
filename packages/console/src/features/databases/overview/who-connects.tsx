import type { DatabaseSessions } from '../../../data/database-insight.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'

const shown = 6

/** The clients with the most connections, against each other. */
export function WhoConnects({ sessions }: { sessions: Pick<DatabaseSessions, 'clients' | 'total'> }) {
  const { clients, total } = sessions
  const most = clients[0]?.connections ?? 1
  const others = clients.slice(shown)
  return (
    <Section title="Who connects" aside={formatCount(total, 'connection')}>
      {clients.length === 0 ? (
        <p className="text-text-2">Nobody but Bey itself.</p>
      ) : (
        <ul className="divide-y divide-line border-b border-line">
          {clients.slice(0, shown).map(({ client, connections }) => (
            <li key={client} className="grid grid-cols-[minmax(0,1fr)_5rem_2rem] items-center gap-3 py-1.5">
              <span className="truncate" title={client}>
                {client}
              </span>
              <span aria-hidden className="h-1.5 bg-active">
                <span
                  className="block h-full bg-control"
                  style={{ width: `${(connections / most) * 100}%` }}
                />
              </span>
              <span className="text-right tabular-nums">{formatNumber(connections)}</span>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 ? (
        <p className="mt-1 text-small text-text-3">
          {`and ${formatCount(others.length, 'other client')} with ${formatNumber(others.reduce((sum, { connections }) => sum + connections, 0))}`}
        </p>
      ) : null}
    </Section>
  )
}
