import type { Approval } from '@bey/contract'
import type { ApprovalListQuery } from '../../../data/approvals.ts'
import { useOrganizationId } from '../../../data/session.ts'
import { useList } from '../../../data/use-read.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import type { ListLocation } from '../../../lib/list-location.ts'
import { oneOf, tableControls, useListLocation } from '../../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../../lib/page-commands.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Status } from '../../../ui/status.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Truncated } from '../../../ui/truncated.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { statusOfApproval } from './approval-text.ts'
import { ActorName } from '../../../entities/actor-name.tsx'

const statuses = ['pending', 'approved', 'rejected', 'timed_out', 'cancelled'] as const

/** What runs wait for people to decide, and what was decided. */
export function ApprovalListPage() {
  const listLocation = useListLocation()
  const { search, change } = listLocation
  const query = queryOf(listLocation)
  const list = useList('workflows.approvals', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch approvals', list)
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('List these approvals', 'workflows.approvals', { query }, organizationId)])
  const status = query.status ?? 'pending'
  return (
    <ListPage
      title="Approvals"
      summary={data && summaryOf(data.total, status, query.mine === 'true')}
      actions={<ButtonLink href="/workflows/runs">All runs</ButtonLink>}
      filters={
        <>
          <FilterSelect
            label="Status"
            all="Pending"
            value={status === 'pending' ? undefined : status}
            options={statuses
              .filter((each) => each !== 'pending')
              .map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            onChange={(value) => change({ status: value })}
          />
          <Segmented
            label="Whose"
            options={[
              { value: 'all', label: 'All' },
              { value: 'mine', label: 'I may decide' },
            ]}
            value={query.mine === 'true' ? 'mine' : 'all'}
            onChange={(value) => change({ type: value === 'mine' ? 'mine' : '' })}
          />
        </>
      }
      page={data}
      onPageChange={(page) => change({ page })}
      columns={columns}
      rows={data?.approvals}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/workflows/approvals/${id}`}
      rowLabel={({ question }) => question}
      {...tableControls(listLocation, query, { key: 'requestedAt', direction: 'desc' }, [
        search.status?.replaceAll('_', ' '),
        query.mine && 'I may decide',
      ])}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={
        <EmptyState
          title="Nothing waits for a decision"
          description="A step of the type approval asks people before its workflow goes on. What it asks is listed here."
          action={<ButtonLink href="/workflows">Workflows</ButtonLink>}
        />
      }
    />
  )
}

const columns: readonly Column<Approval>[] = [
  {
    key: 'question',
    header: 'Question',
    width: '26%',
    cell: ({ question }) => <Truncated>{question}</Truncated>,
  },
  {
    key: 'workflow',
    header: 'Workflow',
    cell: ({ workflowName }) => <Truncated>{workflowName}</Truncated>,
  },
  {
    key: 'status',
    header: 'Status',
    width: '7.5rem',
    cell: ({ status }) => (
      <Status of="run" status={statusOfApproval[status]} label={status.replaceAll('_', ' ')} />
    ),
    isVital: true,
  },
  { key: 'by', header: 'Asked by', cell: ({ requestedBy }) => <ActorName actor={requestedBy} /> },
  {
    key: 'needed',
    header: 'Approvals',
    align: 'end',
    width: '6rem',
    cell: ({ decisions, neededCount }) =>
      `${decisions.filter(({ decision }) => decision === 'approve').length} of ${neededCount}`,
  },
  {
    key: 'expiresAt',
    header: 'Until',
    align: 'end',
    width: '7rem',
    cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
  },
  {
    key: 'requestedAt',
    header: 'Asked',
    align: 'end',
    width: '7rem',
    cell: ({ requestedAt }) => <RelativeTime at={requestedAt} />,
  },
]

function summaryOf(total: number, status: string, isMine: boolean): string {
  const word = status.replaceAll('_', ' ')
  return `${formatCount(total, `${word} approval`)}${isMine ? ' that you may decide' : ''}`
}

function queryOf({ search }: ListLocation): ApprovalListQuery {
  const query: ApprovalListQuery = {}
  const status = oneOf(statuses, search.status)
  if (status) query.status = status
  if (search.type === 'mine') query.mine = 'true'
  if (search.page) query.page = search.page
  if (search.order) query.order = search.order
  return query
}
