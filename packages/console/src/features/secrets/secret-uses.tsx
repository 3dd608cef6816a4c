import type { SecretDetail, SecretUse } from '@bey/contract'
import { entityHref, objectPath } from '@bey/contract'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'

/** What uses the secret, which version it has, and what a rotation means for it. */
export function SecretUses({ secret, uses }: { secret: SecretDetail; uses: readonly SecretUse[] }) {
  return (
    <Section title="Used by">
      {uses.length === 0 ? (
        <p className="text-text-2">
          Nothing is known to use this secret. Whatever resolves it is listed here from then on.
        </p>
      ) : (
        <TableCard>
          <Table
            label="Used by"
            columns={columnsFor(secret)}
            rows={uses}
            rowKey={({ type, id, detail }) => `${type} ${id} ${detail}`}
            empty={null}
          />
        </TableCard>
      )}
    </Section>
  )
}

const kinds: Record<SecretUse['type'], string> = {
  workflow: 'Workflow',
  run: 'Run',
  cluster: 'Cluster',
  workload: 'Workload',
  database: 'Database',
  webhook: 'Webhook',
  data_source: 'Data source',
  api_key: 'API key',
  user: 'Person',
}

const entityTypes = {
  cluster: 'cluster',
  workflow: 'workflow',
  webhook: 'webhook',
  api_key: 'apiKey',
} as const

/** The page of what uses it, where it has one. */
function hrefOf({ type, id }: SecretUse): string | undefined {
  if (type === 'workload') {
    const [clusterId = '', resource = '', namespace = '', name = ''] = id.split('/')
    return objectPath({ clusterId: Number(clusterId), resource, namespace, name })
  }
  if (type === 'data_source') return '/analytics/metrics/sources'
  return type in entityTypes
    ? entityHref({ type: entityTypes[type as keyof typeof entityTypes], id })
    : undefined
}

const onRotation: Record<SecretUse['onRotation'], string> = {
  follows: 'follows',
  restarts: 'follows, restarts',
  breaks: 'breaks',
}

const columnsFor = ({ currentVersion }: SecretDetail): Column<SecretUse>[] => [
  {
    key: 'name',
    header: 'Name',
    cell: (use) => {
      const href = hrefOf(use)
      return href === undefined ? (
        use.name
      ) : (
        <Link href={href} className="hover:underline">
          {use.name}
        </Link>
      )
    },
  },
  { key: 'type', header: 'What', width: '5.5rem', cell: ({ type }) => kinds[type] },
  {
    key: 'detail',
    header: 'How',
    width: '32%',
    cell: ({ detail }) => (
      <span className="block truncate" title={detail}>
        {detail}
      </span>
    ),
  },
  {
    key: 'version',
    header: 'Version',
    align: 'end',
    width: '4.5rem',
    cell: ({ lastVersion }) => (
      <span className={lastVersion !== null && lastVersion < currentVersion ? 'text-warn' : undefined}>
        {lastVersion ?? '—'}
      </span>
    ),
  },
  {
    key: 'lastUsedAt',
    header: 'Last used',
    align: 'end',
    width: '7rem',
    cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
  },
  {
    key: 'onRotation',
    header: 'On rotation',
    width: '9.5rem',
    isVital: true,
    cell: (use) => (
      <span className={use.onRotation === 'breaks' ? 'text-danger' : 'text-text-2'}>
        {onRotation[use.onRotation]}
      </span>
    ),
  },
]
