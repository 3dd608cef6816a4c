import type { BoardDefinition, BoardPanel } from '@bey/contract'
import { boardBounds, boardCompares, boardVariables } from '@bey/contract'
import { GripHorizontal, Plus, Redo2, Undo2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Board } from '../../data/boards.ts'
import { useChange } from '../../data/use-change.ts'
import { useUser } from '../../data/session.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { createSharedCursor } from '../../ui/chart/shared-cursor.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { changeDraft, changeTexts, newDraft } from './board-draft.ts'
import { BoardGrid } from './board-grid.tsx'
import { newPlace, positionText, type Step, stepped } from './layout.ts'
import { PanelForm } from './panel-form.tsx'
import { PanelFrame } from './panel-frame.tsx'
import type { BoardView } from './use-panel-data.ts'
import { usePanelDrag } from './use-panel-drag.ts'

const steps: Readonly<Record<string, Step>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** A board that is edited: panels are moved and sized by arrow keys, and changed in a form beside them. */
export function BoardEditor({
  board,
  view,
  add,
  source,
  onClose,
}: {
  board: Board
  view: BoardView
  /** An expression for a new panel. */
  add: string | undefined
  /** The data source of that panel; undefined: Bey. */
  source: string | undefined
  onClose: () => void
}) {
  const [draft, dispatch] = useReducer(changeDraft, board.definition, (definition) =>
    add === undefined
      ? newDraft(definition)
      : changeDraft(newDraft(definition), added(definition, add, source)),
  )
  const [name, setName] = useState(board.name)
  const [visibility, setVisibility] = useState(board.visibility)
  const [selected, setSelected] = useState(add === undefined ? undefined : draft.now.panels.at(-1)?.id)
  const [focused, setFocused] = useState<string>()
  const save = useChange('boards.update')
  const isMine = board.createdBy.id === String(useUser()?.id)
  const cursor = useMemo(() => createSharedCursor(), [])
  const box = useRef<HTMLDivElement>(null)
  const { now } = draft
  const texts = changeTexts(board.definition, now)
  if (name !== board.name) texts.push('renamed')
  if (visibility !== board.visibility) texts.push(visibility === 'private' ? 'made private' : 'shared')
  const allow = useUnsaved(texts.length > 0 ? 'the changes of this board' : undefined, ['edit'])
  const set = (definition: BoardDefinition) => dispatch({ type: 'set', definition })
  const setPanels = (panels: BoardPanel[]) => set({ ...now, panels })
  const drag = usePanelDrag(now.panels, setPanels)
  const addPanel = () => {
    if (now.panels.length >= boardBounds.maxPanels) return
    const action = added(now, '')
    dispatch(action)
    setSelected(action.definition.panels.at(-1)?.id)
  }
  const remove = (id: string) => {
    setPanels(now.panels.filter((panel) => panel.id !== id))
    setSelected(undefined)
    box.current?.focus()
  }
  usePageKeys('Board editor', [{ keys: ['a'], does: 'Add panel', run: addPanel }])
  useUndoKeys(dispatch)
  const panelKey = (event: KeyboardEvent<HTMLElement>, panel: BoardPanel) => {
    if (event.target !== event.currentTarget) return
    const step = steps[event.key]
    if (step) setPanels(stepped(now.panels, panel.id, step, event.shiftKey ? 'size' : 'move'))
    else if (event.key === 'Enter') setSelected(panel.id)
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(panel.id)
    else return
    event.preventDefault()
  }
  const store = () =>
    save.mutate(
      {
        params: { id: board.id },
        body: {
          version: board.version,
          definition: now,
          ...(name !== board.name && { name }),
          ...(visibility !== board.visibility && { visibility }),
        },
      },
      {
        onSuccess: () => {
          allow()
          toast('success', `Board "${name}" saved`)
          onClose()
        },
      },
    )
  const failure = save.error ? errorText('The board was not saved', save.error) : undefined
  const chosen = now.panels.find(({ id }) => id === selected)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader
        title={name || 'Untitled board'}
        aside={texts.length > 0 ? <Badge>draft</Badge> : undefined}
        description={
          texts.length === 0
            ? 'No changes yet'
            : `${formatCount(texts.length, 'change')} not saved: ${texts.slice(0, 3).join(', ')}${texts.length > 3 ? ` and ${texts.length - 3} more` : ''}`
        }
        actions={
          <>
            <IconButton
              label="Undo"
              shortcut="⌘Z"
              icon={<Undo2 size={16} aria-hidden />}
              disabledReason={draft.past.length === 0 ? 'There is nothing to undo.' : undefined}
              onClick={() => dispatch({ type: 'undo' })}
            />
            <IconButton
              label="Redo"
              icon={<Redo2 size={16} aria-hidden />}
              disabledReason={draft.future.length === 0 ? 'There is nothing to redo.' : undefined}
              onClick={() => dispatch({ type: 'redo' })}
            />
            <Button variant="ghost" onClick={onClose}>
              {texts.length > 0 ? 'Discard' : 'Close'}
            </Button>
            <Button
              variant="primary"
              busy={save.isPending}
              disabledReason={
                name.trim() === '' ? 'Enter a name.' : texts.length === 0 ? 'Nothing has changed.' : undefined
              }
              onClick={store}
            >
              Save board
            </Button>
          </>
        }
      />
      {failure ? (
        <div className="px-(--gutter) pt-3">
          <Notice tone="danger" title={failure.title}>
            {failure.detail}
          </Notice>
        </div>
      ) : null}
      <div className="flex min-h-0 flex-1">
        <div
          ref={box}
          tabIndex={-1}
          className="min-w-0 flex-1 overflow-auto bg-sunken px-5 py-4 outline-none"
        >
          <Settings
            name={name}
            setName={setName}
            visibility={visibility}
            setVisibility={setVisibility}
            isMine={isMine}
            definition={now}
            set={set}
          />
          <BoardGrid panels={drag.panels} isPhone={false} gap={16}>
            {(panel, height) => (
              // A group that moves by keys, as a cell of a grid does.
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
              <section
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                tabIndex={0}
                aria-label={`${panel.title || 'Untitled panel'}. ${positionText(panel)}, ${panel.width} × ${panel.height}`}
                onKeyDown={(event) => panelKey(event, panel)}
                onFocus={() => setFocused(panel.id)}
                onBlur={() => setFocused(undefined)}
                onDoubleClick={() => setSelected(panel.id)}
                className={cx(
                  'relative rounded-control border bg-bg px-3 pt-3 outline-none',
                  focused === panel.id || selected === panel.id || drag.draggedId === panel.id
                    ? 'border-accent ring-1 ring-accent'
                    : 'border-line',
                )}
                style={{ height }}
              >
                <PanelFrame
                  panel={panel}
                  view={view}
                  height={height - 18}
                  reading={undefined}
                  marks={noMarks}
                  cursor={cursor}
                  isPhone={false}
                  onZoom={ignore}
                  onZoomOut={undefined}
                  onPick={() => setSelected(panel.id)}
                />
                {/* The keys of the panel do the same. */}
                <span
                  aria-hidden
                  data-tooltip="Drag to move"
                  onPointerDown={drag.start(panel, 'move')}
                  className="absolute top-0 left-1/2 flex h-4 w-10 -translate-x-1/2 cursor-grab touch-none items-center justify-center text-text-3 hover:text-text"
                >
                  <GripHorizontal size={14} />
                </span>
                <span
                  aria-hidden
                  data-tooltip="Drag to size"
                  onPointerDown={drag.start(panel, 'size')}
                  className="absolute right-0 bottom-0 size-4 cursor-nwse-resize touch-none rounded-br-control border-r-2 border-b-2 border-control"
                />
                {focused === panel.id ? (
                  <output className="absolute top-full left-0 z-10 mt-1 rounded-control bg-text px-2.5 py-1.5 text-small whitespace-nowrap text-bg">
                    <span className="font-medium">{positionText(panel)}</span> {panel.width} × {panel.height}
                    <span className="block opacity-80">arrows move, ⇧ arrows size, ↵ opens the form</span>
                  </output>
                ) : null}
              </section>
            )}
          </BoardGrid>
          <div className="mt-4 flex items-center gap-3 rounded-control border border-dashed border-control p-4">
            <Button
              icon={<Plus size={14} aria-hidden />}
              disabledReason={
                now.panels.length >= boardBounds.maxPanels
                  ? 'A board has at most 100 panels. Make a second board.'
                  : undefined
              }
              onClick={addPanel}
            >
              Add panel
            </Button>
            <ListFoot count="12 columns" keys={footKeys} />
          </div>
        </div>
        {chosen ? (
          <PanelForm
            key={chosen.id}
            panel={chosen}
            view={view}
            onChange={(panel) => setPanels(now.panels.map((each) => (each.id === panel.id ? panel : each)))}
            onDuplicate={() => {
              const id = newId(now.panels)
              setPanels([
                ...now.panels,
                { ...chosen, ...newPlace(now.panels), id, width: chosen.width, height: chosen.height },
              ])
              setSelected(id)
            }}
            onRemove={() => remove(chosen.id)}
            onClose={() => setSelected(undefined)}
          />
        ) : null}
      </div>
    </div>
  )
}

function Settings({
  name,
  setName,
  visibility,
  setVisibility,
  isMine,
  definition,
  set,
}: {
  name: string
  setName: (name: string) => void
  visibility: Board['visibility']
  setVisibility: (visibility: Board['visibility']) => void
  isMine: boolean
  definition: BoardDefinition
  set: (definition: BoardDefinition) => void
}) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-small">
      <span className="w-56">
        <Input
          aria-label="Name of the board"
          controlSize="small"
          maxLength={63}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </span>
      {isMine ? (
        <Select
          controlSize="small"
          aria-label="Who sees the board"
          value={visibility}
          onChange={(event) => setVisibility(event.target.value === 'private' ? 'private' : 'organization')}
          options={[
            { value: 'organization', label: 'Every member sees and edits it' },
            { value: 'private', label: 'Only you see it' },
          ]}
        />
      ) : (
        <span className="text-text-2">Every member sees and edits it</span>
      )}
      {boardVariables.map((variable) => (
        <Checkbox
          key={variable}
          label={`$${variable}`}
          checked={definition.variables.includes(variable)}
          onChange={(event) =>
            set({
              ...definition,
              variables: boardVariables.filter((each) =>
                each === variable ? event.target.checked : definition.variables.includes(each),
              ),
            })
          }
        />
      ))}
      <Select
        controlSize="small"
        aria-label="Default comparison"
        value={definition.compare}
        onChange={(event) => {
          const compare = boardCompares.find((each) => each === event.target.value)
          if (compare) set({ ...definition, compare })
        }}
        options={[
          { value: 'none', label: 'without comparison' },
          { value: 'day', label: 'against the day before' },
          { value: 'week', label: 'against the week before' },
        ]}
      />
    </div>
  )
}

const footKeys = [
  { keys: ['Tab'], does: 'next panel' },
  { keys: ['a'], does: 'add' },
  { keys: ['Mod', 'Z'], does: 'undo' },
  { keys: ['Delete'], does: 'remove' },
] as const
const noMarks: never[] = []
const ignore = () => undefined

function newId(panels: readonly BoardPanel[]): string {
  let next = panels.length + 1
  while (panels.some(({ id }) => id === `p${next}`)) next += 1
  return `p${next}`
}

function added(
  definition: BoardDefinition,
  expr: string,
  source?: string,
): { type: 'set'; definition: BoardDefinition } {
  const { panels } = definition
  const panel: BoardPanel = {
    ...newPlace(panels),
    id: newId(panels),
    kind: 'series',
    title: expr.slice(0, boardBounds.maxTitleLength),
    queries: [{ expr, legend: '' }],
    ...(source !== undefined && { source }),
    unit: 'auto',
    thresholds: { warn: null, danger: null },
    text: '',
  }
  return { type: 'set', definition: { ...definition, panels: [...panels, panel] } }
}

/** ⌘Z and ⇧⌘Z outside of text fields, which have a history of their own. */
function useUndoKeys(dispatch: (action: { type: 'undo' | 'redo' }) => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'z') return
      if (event.target instanceof Element && event.target.closest('input, textarea, select')) return
      event.preventDefault()
      dispatch({ type: event.shiftKey ? 'redo' : 'undo' })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [dispatch])
}
