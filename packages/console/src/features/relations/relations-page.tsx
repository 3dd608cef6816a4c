import { Share2, Table2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { relationRefreshMs } from '../../data/relations.ts'
import { useOrganizationId } from '../../data/session.ts'
import { useList, useRead } from '../../data/use-read.ts'
import { Gaps } from './gaps.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { laterPart } from '../../lib/later-part.tsx'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { GraphLegend } from './graph-legend.tsx'
import { BlastSteps, GraphSummary, Inspector, PathSteps, ResourceInspector } from './inspector.tsx'
import { periods, type RelationSearch, useRelationSearch } from './relation-search.ts'
import { RelationTable } from './relation-table.tsx'
import { RelationToolbar } from './relation-toolbar.tsx'
import { dropPreparedBoxLayout, prepareBoxLayout } from './use-box-layout.ts'

const [GraphCanvas, loadGraphCanvas] = laterPart(async () => (await import('./graph-canvas.tsx')).GraphCanvas)

/** How everything that the organization has relates: by kind, from one resource to another, and what a failure reaches. */
export function RelationsPage() {
  const { search, change } = useRelationSearch()
  const { mode, of, from, to, act, open } = search
  // The start of the period moves only with the page: else every reading would be another query.
  const [openedAtMs] = useState(() => Math.floor(Date.now() / 60_000) * 60_000)
  const since = new Date(openedAtMs - periods[search.since]).toISOString()
  const filters = filtersOf(search)
  const graph = useList(
    'relations.graph',
    { query: { ...filters, since, ...(open === undefined ? {} : { open }) } },
    { refreshMs: relationRefreshMs },
  )
  const path = useRead(
    'relations.path',
    { query: { from: from ?? '', to: to ?? '' } },
    { isEnabled: mode === 'path' && from !== undefined && to !== undefined },
  )
  const impact = useRead(
    'relations.impact',
    { query: { id: of ?? '', act } },
    { isEnabled: mode === 'blast' && of !== undefined, refreshMs: relationRefreshMs },
  )
  const [chosen, setChosen] = useState<string>()
  const isMobile = useIsMobile()
  const failure =
    failureOf('Failed to fetch the relationships', graph) ??
    (mode === 'path' ? failureOf('Failed to fetch the path', path) : undefined) ??
    (mode === 'blast' ? failureOf('Failed to fetch the blast radius', impact) : undefined)
  const { data } = graph
  const shownPath = mode === 'path' ? path.data : undefined
  const shownImpact = mode === 'blast' ? impact.data : undefined
  const names = new Map(
    [
      ...(data?.boxes.flatMap(({ ticks }) => ticks) ?? []),
      ...(shownPath ? [shownPath.from, shownPath.to] : []),
      ...(shownImpact ? [shownImpact.resource] : []),
    ].map(({ id, name }) => [id, name]),
  )
  const nameOf = (id: string | undefined) => (id === undefined ? undefined : (names.get(id) ?? id))
  const selected = chosen ?? of
  const choose = (id: string) => {
    if (mode === 'blast') change({ of: id })
    else setChosen(id)
  }
  const isTable = search.isTable || isMobile
  const organizationId = useOrganizationId()
  const command =
    mode === 'blast' && of !== undefined
      ? apiCommand('Read this blast radius', 'relations.impact', { query: { id: of, act } }, organizationId)
      : mode === 'path' && from !== undefined && to !== undefined
        ? apiCommand('Read this path', 'relations.path', { query: { from, to } }, organizationId)
        : apiCommand('Read this graph', 'relations.graph', { query: filters }, organizationId)
  usePageCommands([command])
  usePageKeys('Relationships', [
    { keys: ['p'], does: 'Path between two', run: () => change({ mode: 'path' }) },
    { keys: ['b'], does: 'Blast radius', run: () => change({ mode: 'blast' }) },
  ])
  // Relations that were read before are drawn in this same render.
  const [isRead] = useState(data !== undefined)
  useEffect(() => {
    if (isTable || isRead) return
    // The code of the graph and the process of its layout start while the relations are read.
    loadGraphCanvas().catch(() => undefined)
    prepareBoxLayout()
    return dropPreparedBoxLayout
  }, [isTable, isRead])
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        if (chosen !== undefined) setChosen(undefined)
        else if (open !== undefined) change({ open: '' })
      }}
      role="presentation"
    >
      <PageHeader
        title="Relationships"
        description={shownPath?.text ?? shownImpact?.text ?? (data ? summaryOf(data, search) : ' ')}
        actions={
          <>
            {isMobile ? null : (
              <Button
                variant="ghost"
                icon={search.isTable ? <Share2 size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
                onClick={() => change({ view: search.isTable ? '' : 'table', page: '' })}
              >
                {search.isTable ? 'Graph' : 'Table'}
              </Button>
            )}
            <CopyButton text={globalThis.location.href} label="Copy link" />
          </>
        }
      />
      {isTable ? null : <ListFoot count={data && summaryCount(data)} keys={footKeys} command={command.bey} />}
      <RelationToolbar search={search} change={change} nameOf={nameOf} />
      <Gaps gaps={data?.gaps ?? []} />
      {failure ? (
        <ErrorState {...failure} />
      ) : data?.total === 0 ? (
        <Nothing isFiltered={Object.keys(filters).length > 0} onClear={() => change(cleared)} />
      ) : (
        <div className="flex min-h-0 flex-1 max-lg:flex-col">
          {isTable ? (
            <div className="flex min-h-0 min-w-0 flex-1 flex-col max-lg:min-h-112">
              <RelationTable filters={filters} page={search.page} onPage={(page) => change({ page })} />
            </div>
          ) : data ? (
            <GraphCanvas
              label="Relationships"
              graph={data}
              open={open}
              path={shownPath?.steps ?? []}
              reached={
                shownImpact &&
                new Map([
                  [shownImpact.resource.id, 0],
                  ...shownImpact.reached.map(({ id, step }) => [id, step] as const),
                ])
              }
              selected={selected}
              onToggle={(kind) => change({ open: kind === open ? '' : kind })}
              onSelect={choose}
              legend={<GraphLegend graph={data} mode={mode} />}
            />
          ) : (
            <div className="flex-1" />
          )}
          {data ? (
            <Inspector label="In words">
              {shownPath ? (
                <PathSteps path={shownPath} />
              ) : shownImpact ? (
                <BlastSteps impact={shownImpact} />
              ) : mode === 'path' ? (
                <p className="text-text-2">Choose the two resources that the path is to join.</p>
              ) : mode === 'blast' ? (
                <p className="text-text-2">Choose a resource to see what its failure or deletion reaches.</p>
              ) : selected === undefined ? (
                <GraphSummary graph={data} />
              ) : (
                <ResourceInspector
                  id={selected}
                  onBlast={() => change({ mode: 'blast', of: selected })}
                  onAround={() => {
                    setChosen(undefined)
                    change({ of: selected, mode: '' })
                  }}
                />
              )}
            </Inspector>
          ) : null}
        </div>
      )}
    </div>
  )
}

const footKeys = [
  { keys: ['Enter'], does: 'open a kind' },
  { keys: ['ArrowRight'], does: 'along the edges' },
  { keys: ['p'], does: 'path' },
  { keys: ['b'], does: 'blast radius' },
] as const

const cleared = { of: '', kind: '', label: '', query: '', direction: '', depth: '', open: '', page: '' }

function filtersOf({ mode, of, kind, label, query, direction, depth }: RelationSearch) {
  return {
    ...(kind === undefined ? {} : { kinds: kind }),
    ...(label === undefined ? {} : { label }),
    ...(query === undefined ? {} : { query }),
    ...(mode === 'explore' && of !== undefined ? { focus: of, direction, depth } : {}),
  }
}

const summaryCount = ({ total, relationTotal }: { total: number; relationTotal: number }) =>
  `${formatCount(total, 'resource')}, ${formatCount(relationTotal, 'relation')}`

const periodTexts = { hour: 'in the last hour', day: 'in the last day', week: 'in the last week' } as const

function summaryOf(
  {
    total,
    relationTotal,
    failing,
    changed,
  }: { total: number; relationTotal: number; failing: number; changed: number },
  { since }: RelationSearch,
): string {
  const things = total === 1 ? '1 resource' : `${total} resources`
  return `${things}, ${relationTotal === 1 ? '1 relation' : `${relationTotal} relations`}. ${changed} changed ${periodTexts[since]}, ${failing} ${failing === 1 ? 'is' : 'are'} failing.`
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState
      icon={<Share2 size={24} strokeWidth={1.5} aria-hidden />}
      title="Nothing matches these filters"
      description="No resource has this kind and matches the query near the chosen one."
      action={<Button onClick={onClear}>Show everything</Button>}
    />
  ) : (
    <EmptyState
      icon={<Share2 size={24} strokeWidth={1.5} aria-hidden />}
      title="Nothing to relate yet"
      description="Relationships appear with the first cluster, workflow, secret or database."
    />
  )
}
