import { seriesText } from '@bey/contract/alerts/rules'
import type { AlertDetail } from '../../data/alerts.ts'
import { judgedUnit, unitText } from '../../entities/alerts/alert-text.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'

/** The expression, and every series that it selects with its state. */
export function SeriesTab({ alert }: { alert: AlertDetail }) {
  const unit = judgedUnit(alert)
  const columns: readonly Column<AlertDetail['instances'][number]>[] = [
    {
      key: 'labels',
      header: alert.source === 'resources' ? 'Resource' : 'Series',
      cell: ({ labels }) => (
        <span className="block truncate" title={JSON.stringify(labels)}>
          {alert.source === 'resources' && labels['id'] !== undefined ? (
            <Link href={`/resources/${encodeURIComponent(labels['id'])}`}>{seriesText(labels)}</Link>
          ) : (
            seriesText(labels) || (alert.source === 'resources' ? 'all matches' : 'without labels')
          )}
        </span>
      ),
    },
    {
      key: 'state',
      header: 'State',
      width: '9rem',
      isVital: true,
      cell: ({ state }) => <Status status={state} />,
    },
    { key: 'value', header: 'Now', align: 'end', width: '8rem', cell: ({ value }) => unitText(value, unit) },
    { key: 'peak', header: 'Worst', align: 'end', width: '8rem', cell: ({ peak }) => unitText(peak, unit) },
    {
      key: 'since',
      header: 'Since',
      align: 'end',
      width: '8rem',
      cell: ({ since }) => <RelativeTime at={since} />,
    },
  ]
  return (
    <>
      <div className="px-(--gutter) py-4">
        <CodeBlock label={alert.source === 'resources' ? 'Query' : 'Expression'} text={alert.expr} />
      </div>
      <Table
        label="Series"
        columns={columns}
        rows={alert.instances}
        rowKey={({ labels }) => JSON.stringify(labels)}
        empty={<EmptyState title="Not evaluated yet" description="The first evaluation takes up to 30 s." />}
      />
    </>
  )
}
