import type { SecretShare } from '@bey/contract'
import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import { toastCause } from '../../lib/error-text.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { ActorName } from '../../entities/actor-name.tsx'
import { useChange } from '../../data/use-change.ts'

const stateLabels: Record<SecretShare['status'], string> = {
  waiting: 'waits to be opened',
  opened: 'opened',
  expired: 'expired unopened',
  revoked: 'revoked',
}

/** Links with what became of them; those that nobody opened can be revoked. */
export function ShareTable({
  shares,
  empty,
}: {
  shares: readonly SecretShare[] | undefined
  empty: ReactNode
}) {
  const revoke = useChange('secretShares.revoke')
  return (
    <TableCard>
      <Table
        label="Links"
        columns={columns}
        rows={shares}
        rowKey={({ id }) => id}
        rowLabel={({ createdBy }) => `Link of ${createdBy.name}`}
        rowActions={({ id, status }) =>
          status === 'waiting' ? (
            <IconButton
              label="Revoke link"
              size="small"
              icon={<Ban size={14} aria-hidden />}
              disabled={revoke.isPending && revoke.variables.params.id === id}
              onClick={() =>
                revoke.mutate(
                  { params: { id } },
                  {
                    onSuccess: () => toast('success', 'The link no longer works'),
                    onError: (error) => toast('error', 'Failed to revoke the link', toastCause(error)),
                  },
                )
              }
            />
          ) : null
        }
        skeletonRows={2}
        empty={empty}
      />
    </TableCard>
  )
}

const columns: readonly Column<SecretShare>[] = [
  {
    key: 'status',
    header: 'State',
    cell: ({ status, openedAt, openedIp }) => (
      <span className={status === 'waiting' ? 'text-text' : 'text-text-2'}>
        {stateLabels[status]}
        {openedAt ? (
          <>
            {' '}
            <RelativeTime at={openedAt} />
            {openedIp ? `, from ${openedIp}` : null}
          </>
        ) : null}
      </span>
    ),
  },
  {
    key: 'createdBy',
    header: 'Made by',
    width: '10rem',
    isExtra: true,
    cell: ({ createdBy }) => <ActorName actor={createdBy} />,
  },
  {
    key: 'createdAt',
    header: 'Made',
    align: 'end',
    width: '7rem',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
  {
    key: 'expiresAt',
    header: 'Expires',
    align: 'end',
    width: '7rem',
    cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
  },
]
