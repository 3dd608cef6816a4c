import type { Annotation } from '@bey/contract'
import { annotationStatuses } from '@bey/contract'
import { useSearch } from '@tanstack/react-router'
import { MessageSquareText } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { AnnotationListQuery } from '../../data/annotations.ts'
import { useUser } from '../../data/session.ts'
import { useList, useRead } from '../../data/use-read.ts'
import { useChangeSearch } from '../../lib/change-search.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { AnnotateMenu } from './annotate-menu.tsx'
import { AnnotationMenu } from './annotation-menu.tsx'
import { AnnotationFilters } from './annotation-filters.tsx'
import { shortComponentName } from './annotation-text.ts'
import { drawerParam } from './page-url.ts'
import { ExportMenu } from './export-menu.tsx'
import { ActorName } from '../../entities/actor-name.tsx'

const AnnotationDrawer = lazyPart(() => import('./annotation-drawer.tsx'))
const DeleteAnnotationDialog = lazyPart(async () => ({
  default: (await import('./delete-annotation.tsx')).DeleteAnnotationDialog,
}))

const sorts = ['createdAt', 'updatedAt', 'componentName', 'url'] as const

/** What colleagues noted on pages of the console. */
export function AnnotationListPage() {
  const listLocation = useListLocation()
  const userId = useUser()?.id
  const query = queryOf(listLocation, userId)
  const list = useList('annotations.list', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch annotations', list)
  const places = useRead('annotations.places', {})
  const [deleting, setDeleting] = useState<Annotation>()
  const drawer = useDrawer()

  return (
    <>
      <ListPage
        title="Annotations"
        summary={data && formatCount(data.total, 'annotation')}
        actions={
          <>
            <ExportMenu query={query} total={data?.total} />
            <AnnotateMenu />
          </>
        }
        search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
        filters={<AnnotationFilters listLocation={listLocation} places={places.data} />}
        page={data}
        onPageChange={(page) => listLocation.change({ page })}
        columns={columns}
        rows={data?.annotations}
        rowKey={(note) => note.id}
        rowHref={(note) => drawer.href(note.id)}
        peek={{ current: drawer.id, open: drawer.open }}
        rowLabel={(note) => note.annotationText.slice(0, 80)}
        rowActions={(note) => <AnnotationMenu note={note} onDelete={() => setDeleting(note)} />}
        {...tableControls(
          listLocation,
          query,
          { key: 'createdAt', direction: 'desc' },
          filterWords(listLocation),
        )}
        isRefreshing={isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<NoAnnotations />}
      />
      <Suspense fallback={null}>
        {drawer.id ? <AnnotationDrawer id={drawer.id} onClose={drawer.close} /> : null}
        {deleting ? (
          <DeleteAnnotationDialog
            note={deleting}
            onClose={() => setDeleting(undefined)}
            onDeleted={() => setDeleting(undefined)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

const columns: readonly Column<Annotation>[] = [
  {
    key: 'annotationText',
    header: 'Annotation',
    width: '28%',
    cell: (note) => <span className="block truncate">{note.annotationText}</span>,
  },
  {
    key: 'componentName',
    header: 'Component',
    sortKey: 'componentName',
    cell: (note) => (
      <Truncated tooltip={note.componentName}>{shortComponentName(note.componentName)}</Truncated>
    ),
  },
  {
    key: 'url',
    header: 'Page',
    sortKey: 'url',
    cell: (note) => <Truncated>{note.url}</Truncated>,
  },
  { key: 'author', header: 'Author', width: '9rem', cell: (note) => <ActorName actor={note.createdBy} /> },
  {
    key: 'status',
    header: 'Status',
    width: '7rem',
    cell: (note) => <Status status={note.status} />,
    isVital: true,
  },
  {
    key: 'replyCount',
    header: 'Replies',
    align: 'end',
    width: '5rem',
    cell: (note) => formatNumber(note.replyCount),
  },
  {
    key: 'createdAt',
    header: 'Created',
    sortKey: 'createdAt',
    align: 'end',
    width: '8rem',
    cell: (note) => <RelativeTime at={note.createdAt} />,
  },
]

function NoAnnotations() {
  return (
    <EmptyState
      icon={<MessageSquareText size={24} strokeWidth={1.5} aria-hidden />}
      title="No annotations yet"
      description="A note on an element of any page says what should be improved, and leads back to it. Choose a page, click what you mean and write; on the page itself the command palette has “Annotate this page”."
      action={<AnnotateMenu />}
    />
  )
}

function queryOf({ search }: ListLocation, userId: number | undefined): AnnotationListQuery {
  const query: AnnotationListQuery = listQuery(search, sorts)
  const status = oneOf(annotationStatuses, search.status)
  if (search.author === 'me' && userId !== undefined) query.userId = userId
  if (search.path?.startsWith('/')) query.url = search.path
  if (search.component) query.componentName = search.component
  if (status) query.status = status
  return query
}

function filterWords({ search }: ListLocation): readonly (string | undefined)[] {
  const author = search.author ? 'mine' : undefined
  return [search.q, author, search.status, search.path, search.component]
}

// The open note stands in the address, so that a link to it can be sent to somebody.
function useDrawer() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const id = typeof search[drawerParam] === 'string' ? search[drawerParam] : undefined
  const href = (note: string) => {
    const params = new URLSearchParams(location.search)
    params.set(drawerParam, note)
    return `${location.pathname}?${params}`
  }
  const go = (note: string | undefined) => changeSearch({ [drawerParam]: note }, { isStep: true })
  return { id, href, open: go, close: () => go(undefined) }
}
