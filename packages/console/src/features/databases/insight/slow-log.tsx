import type { DatabaseStatements } from '../../../data/database-insight.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { TableCard } from '../../../ui/table-card.tsx'
import { formatMs } from '../sql/result-text.ts'

type SlowEntry = NonNullable<DatabaseStatements['slowest']>[number]

const columns: readonly Column<SlowEntry>[] = [
  {
    key: 'text',
    header: 'Command',
    cell: ({ text }) => (
      <span title={text} className="block truncate font-mono text-small">
        {text}
      </span>
    ),
  },
  {
    key: 'duration',
    header: 'Took',
    width: '6rem',
    align: 'end',
    isVital: true,
    cell: ({ durationMs }) => formatMs(durationMs),
  },
  { key: 'at', header: 'When', width: '8rem', align: 'end', cell: ({ at }) => <RelativeTime at={at} /> },
]

/** Commands that took longest, as the slow log of the server has them. */
export function SlowLog({ entries }: { entries: readonly SlowEntry[] }) {
  return (
    <div className="px-(--gutter) pt-4 pb-6">
      <Section title="Slow log" aside="with the first argument, without values">
        <TableCard>
          <Table
            label="Slow log"
            columns={columns}
            rows={entries}
            rowKey={({ at, text, durationMs }) => `${at} ${text} ${durationMs}`}
            rowLabel={({ text }) => text}
            empty={
              <EmptyState
                title="No slow command"
                description="The server logs commands that take longer than its slowlog-log-slower-than."
              />
            }
          />
        </TableCard>
      </Section>
    </div>
  )
}
