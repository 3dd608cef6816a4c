import { deniedReason, type ReportKind, reportKindRules } from '@bey/contract'
import { Ellipsis, Eye, FileText, Plus, Trash } from 'lucide-react'
import { useState } from 'react'
import type { ReportRow } from '../../data/reports.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { listQuery, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Link } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { DeleteReportDialog } from './delete-report-dialog.tsx'
import { IssueTicks, readText } from './issue-ticks.tsx'
import { asKind, kindsFor } from './report-draft.ts'

const sorts = ['name', 'createdAt'] as const
const href = (id: string) => `/analytics/reports/${id}`

/** The reports of the organization with their last issues and who read them, and a start for each kind. */
export function ReportListPage() {
  const location = useListLocation()
  const role = useRole()
  const kind = asKind(location.search.type)
  const query = { ...listQuery(location.search, sorts), ...(kind && { kind }) }
  const list = useList('reports.list', { query })
  const { data, isPlaceholderData } = list
  const [deleting, setDeleting] = useState<ReportRow>()
  const failure = failureOf('Failed to fetch reports', list)
  const kinds = kindsFor(role ?? 'VIEWER')
  const denied = deniedReason(role, 'reports.delete')
  usePageCommands([apiCommand('List these reports', 'reports.list', { query }, useOrganizationId())])
  return (
    <>
      <ListPage
        title="Reports"
        summary={data && sentenceOf(data.reports, data.total)}
        actions={<CreateReportLink />}
        search={{ value: location.search.q ?? '', onChange: (q) => location.change({ q }) }}
        filters={
          <FilterSelect
            label="Kind"
            all="All kinds"
            value={kind}
            options={kinds.map((value) => ({ value, label: reportKindRules[value].label }))}
            onChange={(type) => location.change({ type })}
          />
        }
        page={data}
        onPageChange={(page) => location.change({ page })}
        columns={columns}
        rows={data?.reports}
        rowKey={({ id }) => id}
        rowHref={({ id }) => href(id)}
        rowLabel={({ name }) => name}
        rowActions={(report) => (
          <Menu
            trigger={
              <IconButton
                label={`Actions for ${report.name}`}
                size="small"
                icon={<Ellipsis size={16} aria-hidden />}
              />
            }
          >
            <MenuItem icon={<Eye size={14} aria-hidden />} href={href(report.id)}>
              View details
            </MenuItem>
            <MenuItem
              icon={<Trash size={14} aria-hidden />}
              onSelect={() => setDeleting(report)}
              disabledReason={denied}
              isDanger
            >
              Delete
            </MenuItem>
          </Menu>
        )}
        {...tableControls(location, query, { key: 'name', direction: 'asc' }, [query.search, kind])}
        isRefreshing={isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            icon={<FileText size={24} strokeWidth={1.5} aria-hidden />}
            title="No reports yet"
            description="A report freezes figures of this organization, with their time and what could not be read. Choose a kind below: it shows your own data before you save it."
          />
        }
        below={<Kinds kinds={kinds} />}
      />
      {deleting ? <DeleteReportDialog report={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </>
  )
}

/** How many there are, and which nobody reads. */
function sentenceOf(reports: readonly ReportRow[], total: number): string {
  const unread = reports.filter(({ isUnread }) => isUnread).map(({ name }) => name)
  const count = formatCount(total, 'report')
  return unread.length === 0
    ? count
    : `${count}. Nobody read the last 3 issues of ${unread.join(', ')}. Stop its schedule, or choose other recipients.`
}

function Kinds({ kinds }: { kinds: readonly ReportKind[] }) {
  return (
    <section className="px-(--gutter) py-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-b border-line pb-3">
        <h2 className="font-semibold">Start another from</h2>
        <p className="text-small text-text-3">each shows your own data before you save it</p>
      </div>
      <ul className="grid gap-x-6 md:grid-cols-2">
        {kinds.map((kind) => (
          <li key={kind} className="border-b border-line py-2">
            <Link href={`/analytics/reports/create?type=${kind}`} className="font-medium">
              {reportKindRules[kind].label}
            </Link>
            <p className="text-small text-text-3">{reportKindRules[kind].about}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function CreateReportLink() {
  return (
    <ButtonLink
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      href="/analytics/reports/create"
      disabledReason={deniedReason(useRole(), 'reports.create')}
    >
      Create report
    </ButtonLink>
  )
}

const columns: readonly Column<ReportRow>[] = [
  { key: 'name', header: 'Report', sortKey: 'name', width: '20%', cell: ({ name }) => name },
  { key: 'kind', header: 'Kind', isExtra: true, cell: ({ kind }) => reportKindRules[kind].label },
  {
    key: 'goes',
    header: 'Goes out',
    width: '13rem',
    cell: ({ status, scheduleText, note }) =>
      status === 'manual' ? (
        'manual'
      ) : (
        <span className={cx('block truncate', status === 'paused' && 'text-warn')} title={note ?? undefined}>
          {status === 'paused' ? 'paused' : scheduleText}
        </span>
      ),
  },
  {
    key: 'to',
    header: 'To',
    isExtra: true,
    cell: ({ recipients }) =>
      recipients.length === 0 ? (
        'nobody'
      ) : (
        <span className="block truncate">{recipients.map(({ name }) => name).join(', ')}</span>
      ),
  },
  {
    key: 'issues',
    header: 'Last 10 issues',
    width: '8rem',
    cell: ({ issues }) => <IssueTicks issues={issues} />,
  },
  {
    key: 'last',
    header: 'Last issue',
    width: '9rem',
    cell: ({ issues }) => {
      const last = issues.at(-1)
      return last ? <RelativeTime at={last.asOf} /> : '—'
    },
  },
  {
    key: 'read',
    header: 'Read',
    width: '9rem',
    cell: ({ issues, isUnread }) => {
      const last = issues.at(-1)
      if (isUnread) return <span className="text-warn">nobody, 3 times</span>
      return last ? readText(last) : '—'
    },
  },
]
