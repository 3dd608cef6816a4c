import type { SecretImportRow } from '@bey/contract'
import { secretTypeLabels } from '@bey/contract'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'

type Choose = (name: string, choice: 'store' | 'skip') => void

/** What would become of each entry of a file, and the choice of another. */
export function ImportPreview({
  rows,
  onChoose,
}: {
  rows: readonly SecretImportRow[] | undefined
  onChoose: Choose
}) {
  if (rows === undefined) {
    return (
      <EmptyState
        title="No preview yet"
        description="The preview names what would be created, updated, skipped and refused. It stores nothing and shows no value."
      />
    )
  }
  return (
    <Section title="Preview" aside={summaryOf(rows)}>
      <TableCard>
        <Table
          label="Preview"
          columns={columnsFor(onChoose)}
          rows={rows}
          rowKey={({ line, name }) => `${line} ${name}`}
          empty={null}
        />
      </TableCard>
    </Section>
  )
}

/** Entries that would be stored. */
export function storedCount(rows: readonly SecretImportRow[]): number {
  return rows.filter(({ outcome }) => outcome === 'created' || outcome === 'versioned').length
}

const outcomes: Record<SecretImportRow['outcome'], { label: string; tone: string }> = {
  created: { label: 'created', tone: 'text-text' },
  versioned: { label: 'new version', tone: 'text-text' },
  skipped: { label: 'skipped', tone: 'text-text-2' },
  refused: { label: 'refused', tone: 'text-danger' },
}

export function summaryOf(rows: readonly SecretImportRow[]): string {
  return (Object.keys(outcomes) as SecretImportRow['outcome'][])
    .map(
      (outcome) => [rows.filter((row) => row.outcome === outcome).length, outcomes[outcome].label] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count} ${label}`)
    .join(', ')
}

/** The outcome in words, with its reason where there is one. */
export function ImportOutcome({ row: { outcome, message } }: { row: SecretImportRow }) {
  const { label, tone } = outcomes[outcome]
  return (
    <span className="block py-1 whitespace-normal">
      <span className={tone}>{label}</span>
      {message ? <span className="block text-small text-text-3">{message}</span> : null}
    </span>
  )
}

const columnsFor = (onChoose: Choose): Column<SecretImportRow>[] => [
  { key: 'line', header: 'Line', align: 'end', width: '4rem', isExtra: true, cell: ({ line }) => line },
  {
    key: 'name',
    header: 'Name',
    cell: ({ name }) => (
      <span className="block truncate" title={name}>
        {name}
      </span>
    ),
  },
  { key: 'type', header: 'Type', width: '8rem', isExtra: true, cell: ({ type }) => secretTypeLabels[type] },
  { key: 'outcome', header: 'Outcome', width: '14rem', cell: (row) => <ImportOutcome row={row} /> },
  {
    key: 'choice',
    header: 'Choice',
    width: '10rem',
    isVital: true,
    cell: ({ name, outcome, exists }) => (
      <Select
        aria-label={`What becomes of ${name}`}
        controlSize="small"
        className="w-full"
        value={outcome === 'skipped' || outcome === 'refused' ? outcome : 'store'}
        options={[
          { value: 'store', label: exists ? 'New version' : 'Create' },
          { value: 'skipped', label: 'Skip' },
          ...(outcome === 'refused' ? [{ value: 'refused', label: 'Refused', disabled: true }] : []),
        ]}
        onChange={(event) => onChoose(name, event.target.value === 'store' ? 'store' : 'skip')}
      />
    ),
  },
]
