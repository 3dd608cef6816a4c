import type { BoardDefinition, ReadyBoardId } from '@bey/contract'
import { deniedReason, readyBoards } from '@bey/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Board } from '../../data/boards.ts'
import { useRole } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'
import { useList, useRead } from '../../data/use-read.ts'
import { useChartRange } from '../../entities/metrics/chart-range.ts'
import { useChangeSearch } from '../../lib/change-search.ts'
import { errorText } from '../../lib/error-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toast } from '../../ui/toast.ts'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { BoardEditor } from './board-editor.tsx'
import { BoardMenu } from './board-menu.tsx'
import { parseBoardSearch, valuesOf } from './board-search.ts'
import { boardHref, BoardSwitcher } from './board-switcher.tsx'
import { BoardToolbar } from './board-toolbar.tsx'
import { BoardPanels } from './board-view.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { useChangeMarks } from '../../entities/metrics/use-change-marks.ts'
import type { BoardView } from './use-panel-data.ts'

const isReady = (id: string): id is ReadyBoardId => Object.hasOwn(readyBoards, id)

/** One board: the one of the address, else the fleet. */
export function BoardPage() {
  const { id = 'fleet' }: { id?: string } = useParams({ strict: false })
  return isReady(id) ? <ReadyBoardPage key={id} id={id} /> : <SavedBoardPage key={id} id={id} />
}

function ReadyBoardPage({ id }: { id: ReadyBoardId }) {
  const { name, definition, description } = readyBoards[id]
  usePageTitle(name)
  return (
    <BoardScreen id={id} name={name} description={description} definition={definition} board={undefined} />
  )
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function SavedBoardPage({ id }: { id: string }) {
  const isKnown = uuid.test(id)
  const query = useRead('boards.get', { params: { id } }, { isEnabled: isKnown })
  const { data } = query
  const isGone = !isKnown || isMissing(query)
  usePageTitle(isGone ? 'Board not found' : data?.name)
  const failure = failureOf('Failed to fetch the board', query)
  if (data) {
    const { name, description, definition } = data
    return <BoardScreen id={id} name={name} description={description} definition={definition} board={data} />
  }
  return (
    <>
      <PageHeader title={isGone ? 'Board not found' : failure ? 'Board' : undefined} description=" " />
      {isGone ? (
        <EmptyState
          title="There is no such board in this organization"
          description="It was deleted, or it is private."
          action={<ButtonLink href="/analytics/dashboard">Open the fleet</ButtonLink>}
        />
      ) : failure ? (
        <ErrorState {...failure} />
      ) : null}
    </>
  )
}

interface ScreenProps {
  id: string
  name: string
  description: string
  definition: BoardDefinition
  /** Undefined of a ready board. */
  board: Board | undefined
}

function BoardScreen({ id, name, description, definition, board }: ScreenProps) {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const search = useMemo(() => parseBoardSearch(raw), [raw])
  const range = useChartRange(definition.range)
  const change = useChangeSearch()
  const navigate = useNavigate()
  const isPhone = useIsMobile()
  const denied = deniedReason(useRole(), 'boards.create')
  const [isImporting, setImporting] = useState(false)
  const create = useChange('boards.create')
  const { data: boards } = useList('boards.list', { query: { limit: 100, sort: 'name' } })
  const view: BoardView = {
    values: valuesOf(search, definition),
    rangeSeconds: range.rangeSeconds,
    end: range.end,
    compare: search.compare ?? definition.compare,
  }
  const names = (variable: 'cluster' | 'namespace' | 'database') => {
    const chosen = view.values[variable] ?? []
    return chosen.length > 0 ? { [variable]: chosen.join(',') } : {}
  }
  const reading = useRead(
    'boards.reading',
    {
      // A saved board has a UUID, which the contract checks.
      params: { id },
      query: {
        ...(range.end !== undefined && { end: range.end }),
        ...names('cluster'),
        ...names('namespace'),
        ...names('database'),
      },
    },
    { refreshMs: 300_000, isEnabled: definition.panels.length > 0 },
  )
  const marks = useChangeMarks({ ...view, clusterTitles: view.values.cluster })
  const open = (next: string, expr?: string) =>
    void navigate({
      href: `${boardHref(next)}?${new URLSearchParams({
        edit: '1',
        ...(expr !== undefined && { add: expr }),
        ...(expr !== undefined && search.source !== undefined && { source: search.source }),
      }).toString()}`,
    })
  const createBoard = (named: string, from: BoardDefinition) =>
    create.mutate(
      { body: { name: freeName(named, boards?.boards.map((each) => each.name) ?? []), definition: from } },
      {
        onSuccess: (made) => open(made.id, search.add),
        onError: (error) => {
          const { title, detail } = errorText('The board was not created', error)
          toast('error', title, detail === undefined ? {} : { description: String(detail) })
        },
      },
    )
  const isEditing =
    (search.edit === '1' || search.add !== undefined) && board && denied === undefined && !isPhone
  if (isEditing) {
    return (
      <BoardEditor
        key={board.id}
        board={board}
        view={view}
        add={search.add}
        source={search.source}
        onClose={() => change({ edit: undefined, add: undefined, source: undefined })}
      />
    )
  }
  return (
    <>
      <PageHeader
        title={name}
        description={
          <Sentence
            query={reading}
            fallback={description || 'No panels yet'}
            isEmpty={definition.panels.length === 0}
          />
        }
        aside={
          <BoardSwitcher
            id={id}
            onCreate={denied === undefined ? () => createBoard('New board', emptyBoard) : undefined}
            onImport={denied === undefined ? () => setImporting(true) : undefined}
          />
        }
        actions={
          <>
            {isPhone ? null : board ? (
              <Button
                icon={<Pencil size={14} aria-hidden />}
                disabledReason={denied}
                onClick={() => change({ edit: '1' }, { isStep: true })}
              >
                Edit
              </Button>
            ) : (
              <Button
                icon={<Pencil size={14} aria-hidden />}
                disabledReason={denied}
                busy={create.isPending}
                onClick={() => createBoard(name, definition)}
              >
                {search.add === undefined ? 'Copy to edit' : 'Copy and add the panel'}
              </Button>
            )}
            {board ? (
              <BoardMenu
                board={board}
                denied={denied}
                onCopy={() => createBoard(name, definition)}
                onDeleted={() => void navigate({ href: '/analytics/dashboard', replace: true })}
              />
            ) : null}
          </>
        }
      />
      <BoardToolbar definition={definition} search={search} range={range} view={view} marks={marks} />
      {definition.panels.length === 0 ? (
        <EmptyState
          title="No panels yet"
          description="Add a panel with an expression, or copy a ready board."
          {...(isPhone || denied !== undefined
            ? {}
            : {
                action: <Button onClick={() => change({ edit: '1' }, { isStep: true })}>Add panels</Button>,
              })}
        />
      ) : (
        <BoardPanels
          definition={definition}
          view={view}
          range={range}
          reading={reading.data}
          marks={marks}
          at={search.at}
        />
      )}
      {boards?.total === 0 && board === undefined ? (
        <p className="px-(--gutter) pb-4 text-small text-text-2">
          No board yet. {name} draws itself from what is measured.
        </p>
      ) : null}
      {isImporting ? <ImportDialog onClose={() => setImporting(false)} /> : null}
    </>
  )
}

const emptyBoard: BoardDefinition = { panels: [], variables: ['cluster'], range: '24h', compare: 'week' }

/** What the panels say together; what the board is about until that is known. */
function Sentence({
  query,
  fallback,
  isEmpty,
}: {
  query: { data: { text: string } | undefined; error: unknown }
  fallback: string
  isEmpty: boolean
}) {
  if (isEmpty) return fallback
  if (query.data) return query.data.text
  return query.error ? `${fallback}. The comparison with the weeks before cannot be read.` : fallback
}

/** "Fleet", "Fleet 2", …: a name that no listed board has. */
function freeName(name: string, taken: readonly string[]): string {
  const lower = new Set(taken.map((each) => each.toLowerCase()))
  let next = name
  for (let count = 2; lower.has(next.toLowerCase()); count += 1) next = `${name} ${count}`
  return next
}
