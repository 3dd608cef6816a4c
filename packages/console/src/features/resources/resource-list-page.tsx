import { type CallInput, type CallOutput, deniedReason, type ResourceRow } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { BellPlus, Bookmark, Download, Layers } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useFollow } from '../../data/live.ts'
import { useExportResources } from '../../data/resources.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { downloadText } from '../../lib/download.ts'
import { toastCause } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { listQuery, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Table } from '../../ui/table.tsx'
import { sinceText } from '../../ui/time-text.ts'
import { toast } from '../../ui/toast.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { QueryInput } from './query-input.tsx'
import { resourceColumns } from './resource-columns.tsx'
import { graphHref, matchAlertHref, resourceHref } from './resource-text.ts'
import { SelectionBar } from './selection-bar.tsx'
import { SharedStrip } from './shared-strip.tsx'
import { ViewTabs } from './view-tabs.tsx'

const SaveViewDialog = lazyPart(async () => ({
  default: (await import('./save-view-dialog.tsx')).SaveViewDialog,
}))

type Answer = CallOutput<'resources.list'>
type ListQuery = NonNullable<CallInput<'resources.list'>['query']>

const sorts = ['health', 'name', 'kind', 'cluster', 'createdAt'] as const
/** For what changes without an event of its own. */
const refreshMs = 30_000

/** Everything that the organization has, by a query. */
export function ResourceListPage() {
  const listLocation = useListLocation()
  const { q = '' } = listLocation.search
  const { search: _, ...order } = listQuery(listLocation.search, sorts)
  const query: ListQuery = { ...order, query: q }
  const list = useList('resources.list', { query }, { refreshMs })
  const { data } = list
  const failure = failureOf('Failed to fetch resources', list)
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [isSaving, setSaving] = useState(false)
  const navigate = useNavigate()
  const change = (next: string) => listLocation.change({ q: next })
  const selected = data?.resources.filter(({ id }) => keys.has(id)) ?? []
  usePageKeys('Resources', [
    {
      keys: ['g'],
      does: 'graph of these',
      run: () => void navigate({ href: graphHref(q) }),
    },
  ])
  const command = apiCommand('List these resources', 'resources.list', { query }, useOrganizationId())
  usePageCommands([command])
  return (
    <>
      <PageHeader
        title="Resources"
        description={
          data ? (
            <span aria-live="polite">
              {data.sentence}
              <Suggestion answer={data} onChoose={change} />
            </span>
          ) : (
            ' '
          )
        }
        actions={
          <>
            {q === '' ? null : (
              <ButtonLink href={matchAlertHref(q)} icon={<BellPlus size={14} aria-hidden />}>
                Create alert…
              </ButtonLink>
            )}
            <ExportButton query={q} />
            <SaveButton query={q} onSave={() => setSaving(true)} />
          </>
        }
      >
        <ViewTabs query={q} answer={data} />
      </PageHeader>
      <Toolbar
        pages={data ? <Pagination {...data} onPageChange={(page) => listLocation.change({ page })} /> : null}
      >
        {selected.length > 0 ? (
          <SelectionBar rows={selected} onClear={() => setKeys(new Set())} />
        ) : (
          <QueryInput value={q} onChange={change} />
        )}
      </Toolbar>
      {data ? (
        <SharedStrip
          shared={data.shared}
          matching={data.total}
          onAdd={(term) => change(`${q} ${term}`.trim())}
        />
      ) : null}
      {data?.clusters.map(({ id }) => (
        <FollowCluster key={id} id={id} />
      ))}
      <Table
        key={data ? 'rows' : 'waiting'}
        label="Resources"
        isFilled
        columns={resourceColumns}
        rows={data?.resources}
        rowKey={({ id }) => id}
        rowHref={({ id }) => resourceHref(id)}
        rowLabel={({ name }: ResourceRow) => name}
        selection={{ selected: new Set(selected.map(({ id }) => id)), onChange: setKeys }}
        {...tableControls(listLocation, order, { key: 'health', direction: 'asc' }, [q])}
        isRefreshing={list.isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<NothingYet />}
      />
      {data ? <Gaps gaps={data.gaps} /> : null}
      <ListFoot count={data && rangeText(data)} keys={footKeys} command={command.bey} />
      <Suspense fallback={null}>
        {isSaving ? <SaveViewDialog query={q} onClose={() => setSaving(false)} /> : null}
      </Suspense>
    </>
  )
}

const footKeys = [
  { keys: ['↵'], does: 'open' },
  { keys: ['Space'], does: 'peek' },
  { keys: ['x'], does: 'select' },
  { keys: ['g'], does: 'graph of these' },
]

function rangeText({ page, limit, total, resources }: Answer): string {
  if (total === 0) return '0 resources'
  const first = (page - 1) * limit + 1
  return `${formatNumber(first)}–${formatNumber(first + resources.length - 1)} of ${formatNumber(total)}`
}

function FollowCluster({ id }: { id: number }) {
  useFollow({ kind: 'cluster_resources', clusterId: id })
  return null
}

function Suggestion({ answer, onChoose }: { answer: Answer; onChoose: (query: string) => void }) {
  const { suggestion } = answer
  if (suggestion === null) return null
  return (
    <button
      type="button"
      className="ml-2 rounded-badge font-medium text-accent-text hover:underline"
      onClick={() => onChoose(suggestion)}
    >
      Search for it
    </button>
  )
}

function ExportButton({ query }: { query: string }) {
  const file = useExportResources()
  const save = async () => {
    try {
      const text = await file.mutateAsync({ query })
      downloadText(`resources-${new Date().toISOString().slice(0, 10)}.csv`, text, 'text/csv')
    } catch (error) {
      toast('error', 'Failed to export resources', toastCause(error))
    }
  }
  return (
    <Button
      variant="ghost"
      icon={<Download size={14} aria-hidden />}
      busy={file.isPending}
      onClick={() => void save()}
    >
      Export CSV
    </Button>
  )
}

function SaveButton({ query, onSave }: { query: string; onSave: () => void }) {
  const reason =
    deniedReason(useRole(), 'resources.update') ?? (query === '' ? 'Enter a query to save.' : undefined)
  return (
    <Button icon={<Bookmark size={14} aria-hidden />} disabledReason={reason} onClick={onSave}>
      Save view
    </Button>
  )
}

/** What is missing from the list, and why. */
function Gaps({ gaps }: Pick<Answer, 'gaps'>) {
  const [first, ...others] = gaps
  if (!first) return null
  return (
    <div className="grid max-h-40 shrink-0 gap-2 overflow-y-auto border-t border-line px-(--gutter) py-2">
      <Notice tone="warn" title={`Not everything could be read of ${first.source}`}>
        {first.reason}
        {first.since === null ? null : ` No answer since ${sinceText(first.since)}.`}
        {others.map(({ source, reason }) => (
          <span key={`${source} ${reason}`} className="block">
            {reason}
          </span>
        ))}
      </Notice>
    </div>
  )
}

function NothingYet() {
  return (
    <EmptyState
      icon={<Layers size={24} strokeWidth={1.5} aria-hidden />}
      title="No resources yet"
      description="Clusters with everything in them, workflows, secrets, databases and networks are listed here as soon as there are any."
      action={<ButtonLink href="/kubernetes/clusters/create">Create a cluster</ButtonLink>}
    />
  )
}
