import type { SecretImportRow } from '@bey/contract'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { ImportOutcome, summaryOf } from './import-preview.tsx'

/** What an import stored, entry by entry, and the way on. */
export function ImportResult({ rows, onMore }: { rows: readonly SecretImportRow[]; onMore: () => void }) {
  return (
    <div className="flex max-w-3xl flex-col gap-5 px-(--gutter) py-6">
      <Section title="Imported" aside={summaryOf(rows)}>
        <TableCard>
          <Table
            label="Imported"
            columns={columns}
            rows={rows}
            rowKey={({ line, name }) => `${line} ${name}`}
            empty={null}
          />
        </TableCard>
      </Section>
      <p className="text-text-2">
        Delete the file now, and take it out of the history of its repository: its values are kept here.
      </p>
      <div className="flex gap-2">
        <ButtonLink href="/secrets" variant="primary">
          All secrets
        </ButtonLink>
        <Button onClick={onMore}>Import another file</Button>
      </div>
    </div>
  )
}

const columns: readonly Column<SecretImportRow>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name }) => (
      <span className="block truncate" title={name}>
        {name}
      </span>
    ),
  },
  {
    key: 'outcome',
    header: 'Outcome',
    width: '14rem',
    isVital: true,
    cell: (row) => <ImportOutcome row={row} />,
  },
]
