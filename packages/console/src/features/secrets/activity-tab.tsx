import type { SecretActivity, SecretDetail } from '@bey/contract'
import { useSecretActivity } from '../../data/secrets.ts'
import { activityLabel } from '../../entities/secrets/secret-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'

/** What the audit trail tells of a secret. */
export function ActivityTab({ secret }: { secret: SecretDetail }) {
  const mayRead = secret.access === 'manage'
  const list = useSecretActivity(secret.id, mayRead)
  const failure = failureOf('Failed to fetch the activity', list)
  if (!mayRead) {
    return (
      <EmptyState
        title="You may not see the activity"
        description="It is a part of the audit trail. Who manages the secret, and owners and admins of the organization, can read it."
      />
    )
  }
  return (
    <>
      <Table
        label="Activity"
        columns={columns}
        rows={list.data?.pages.flatMap(({ entries }) => entries)}
        rowKey={({ id }) => id}
        error={failure && <ErrorState {...failure} />}
        empty={<EmptyState title="No activity" description="Every change and every read is listed here." />}
        isFilled
      />
      {list.hasNextPage ? (
        <div className="px-(--gutter) py-3">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      ) : null}
    </>
  )
}

const columns: readonly Column<SecretActivity>[] = [
  {
    key: 'action',
    header: 'What',
    width: '14rem',
    cell: ({ action }) => activityLabel(action),
  },
  {
    key: 'outcome',
    header: 'Outcome',
    width: '8rem',
    isVital: true,
    cell: ({ outcome }) => (
      <Status
        status={outcome === 'success' ? 'succeeded' : 'failed'}
        label={outcomeLabels[outcome]}
        of="run"
      />
    ),
  },
  { key: 'actor', header: 'Who', width: '12rem', cell: ({ actor }) => actor },
  { key: 'detail', header: 'Why and what', cell: (entry) => detailText(entry) },
  { key: 'ip', header: 'Address', width: '9rem', isExtra: true, cell: ({ ip }) => ip ?? '—' },
  { key: 'at', header: 'When', align: 'end', width: '8rem', cell: ({ at }) => <RelativeTime at={at} /> },
]

const outcomeLabels: Record<SecretActivity['outcome'], string> = {
  success: 'done',
  failure: 'failed',
  denied: 'refused',
}

/** The reason, and which parts changed. */
function detailText({ diff }: SecretActivity): string {
  if (diff === null) return '—'
  const { reason, version, ...others } = diff
  const parts = [
    typeof reason === 'string' ? `“${reason}”` : '',
    typeof version === 'number' ? `version ${version}` : '',
    isChange(version) ? `version ${String(version.from)} → ${String(version.to)}` : '',
    Object.keys(others).join(', '),
  ]
  return parts.filter(Boolean).join(' · ') || '—'
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}
