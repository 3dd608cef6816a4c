import type { SavedQuery } from '@bey/contract'
import { databaseCan, deniedReason, parameterizeSql } from '@bey/contract'
import type { EditorView } from '@codemirror/view'
import { useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useRead } from '../../../data/use-read.ts'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { KeyHint } from '../../../ui/key-hint.tsx'
import { ListFoot } from '../../../ui/list-foot.tsx'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { EstimateLine } from './estimate-line.tsx'
import { ParameterFields } from './parameter-fields.tsx'
import { RunButtons } from './run-buttons.tsx'
import { SaveQueryDialog } from './save-query-dialog.tsx'
import { ShareQuery } from './share-query.tsx'
import { SqlAnswerView } from './sql-answer.tsx'
import { forgetWriting, opensWriting } from './sql-drafts.ts'
import { SqlSide } from './sql-side.tsx'
import { SqlTabBar } from './sql-tab-bar.tsx'
import { addTab, closeTab, currentTab, openSaved, openText, withSaved, withText } from './sql-tabs.ts'
import { useParameters } from './use-parameters.ts'
import type { SqlTask } from './use-sql-run.ts'
import { useSqlRun } from './use-sql-run.ts'
import { useSqlTabs } from './use-sql-tabs.ts'

// CodeMirror is heavy: it is loaded with the tab.
const SqlEditor = lazyPart(async () => ({ default: (await import('./sql-editor.tsx')).SqlEditor }))

/** Rows after which the console stops reading. */
const maxRows = 500

const keys = [
  { keys: ['Mod', 'Enter'], does: 'run' },
  { keys: ['Mod', 'E'], does: 'explain' },
  { keys: ['Mod', 'S'], does: 'save' },
  { keys: ['Ctrl', 'Space'], does: 'complete' },
] as const

/** Statements in tabs, executed one at a time, read only unless one allows writing. */
export function SqlTab({ database }: { database: Database }) {
  const { id } = database
  const role = useRole()
  const stale = useStaleReason()
  const denied = deniedReason(role, 'databases.query')
  const deniedWrite = deniedReason(role, 'databases.execute')
  const refusal = denied ?? stale ?? databaseCan.connect(database)
  const isReady = refusal === undefined
  const relations = useRead('databases.relations', { params: { id } }, { isEnabled: isReady })
  const saved = useRead(
    'databases.savedQueries.list',
    { params: { id } },
    { isEnabled: denied === undefined },
  )
  const [isWriting, setWriting] = useState(() => deniedWrite === undefined && opensWriting(id))
  useEffect(() => () => forgetWriting(id), [id])
  const view = useRef<EditorView | null>(null)
  const sql = useSqlRun(id)
  const [state, setState] = useSqlTabs(id)
  const [isSaving, setSaving] = useState(false)
  const tab = currentTab(state)
  const parameters = useParameters(tab?.id ?? '')
  useQueryOfAddress(saved.data?.queries, (query) => setState((before) => openSaved(before, query)))
  const text = tab?.text ?? ''
  const answers = sql.answers[tab?.id ?? ''] ?? {}
  const answered = answers[answers.shown ?? 'result']
  const error =
    answered?.kind === 'result'
      ? answered.result.error
      : answered?.kind === 'plan'
        ? answered.plan.error
        : null

  const start = (task: SqlTask) => {
    if (!isReady || tab === undefined) return
    const statement = selectedText(view.current) ?? text
    const given = parameters.take(parameterizeSql(statement).names)
    if (given !== undefined) sql.run({ tab: tab.id, statement, parameters: given }, task)
  }
  const run = () => start(isWriting ? 'write' : 'read')
  const save = () => {
    if (isReady && text.trim() !== '') setSaving(true)
  }
  usePageKeys('SQL', [{ keys: ['e'], does: 'Explain the statement', run: () => start('explain') }])
  const insert = (name: string) => {
    const editor = view.current
    if (editor === null) return
    editor.dispatch(editor.state.replaceSelection(name))
    editor.focus()
  }
  if (tab === undefined) return null
  return (
    <div className="grid min-h-0 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <SqlSide
        databaseId={id}
        relations={relations}
        isReady={isReady}
        isAllowed={denied === undefined}
        current={tab.saved?.id}
        onInsert={insert}
        onOpenSaved={(query) => setState((before) => openSaved(before, query))}
        onOpenText={(statement) => setState((before) => openText(before, statement))}
      />
      <div className="min-w-0">
        <SqlTabBar
          state={state}
          onSelect={(current) => setState((before) => ({ ...before, current }))}
          onAdd={() => setState(addTab)}
          onClose={(closed) => {
            setState((before) => closeTab(before, closed))
            sql.forget(closed)
          }}
        >
          <ShareQuery databaseId={id} tab={tab} />
          <Button size="small" disabledReason={refusal} onClick={save}>
            Save <KeyHint keys={['Mod', 'S']} />
          </Button>
        </SqlTabBar>
        <Suspense fallback={<div className="h-44 border-b border-line bg-sunken" />}>
          <SqlEditor
            key={tab.id}
            initialText={text}
            relations={relations.data?.relations ?? none}
            mark={answered && error ? { error, statement: answered.statement } : undefined}
            onChange={(next) => setState((before) => withText(before, tab.id, next))}
            onView={(made) => {
              view.current = made
            }}
            onRun={run}
            onExplain={() => start('explain')}
            onSave={save}
          />
        </Suspense>
        <ParameterFields
          names={parameterizeSql(text).names}
          values={parameters.values}
          problems={parameters.problems}
          refused={error?.parameter ?? undefined}
          onChange={parameters.change}
          onSubmit={run}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-(--gutter) py-2">
          <EstimateLine
            databaseId={id}
            statement={text}
            values={parameters.values}
            isWriting={isWriting}
            maxRows={maxRows}
            away={refusal}
          />
          <RunButtons
            refusal={refusal}
            deniedWrite={deniedWrite}
            isWriting={isWriting}
            onWriting={setWriting}
            sql={sql}
            onRun={run}
            onStart={start}
          />
        </div>
        {isSaving ? (
          <SaveQueryDialog
            databaseId={id}
            statement={text.trim()}
            opened={saved.data?.queries.find((query) => query.id === tab.saved?.id)}
            onClose={() => setSaving(false)}
            onSaved={(query) => {
              setState((before) => withSaved(before, tab.id, query))
              setSaving(false)
            }}
          />
        ) : null}
        <SqlAnswerView
          key={tab.id}
          answers={answers}
          onShow={(shown) => sql.show(tab.id, shown)}
          database={database.name}
          running={sql.running?.tab === tab.id ? sql.running : undefined}
        />
      </div>
      <ListFoot
        count={isWriting ? 'changes take effect at once' : `reads only · stops at 30 s or ${maxRows} rows`}
        keys={keys}
      />
    </div>
  )
}

const none: never[] = []

/** What is selected in the editor, to be executed alone; undefined where nothing is. */
function selectedText(view: EditorView | null): string | undefined {
  if (view === null) return undefined
  const { from, to } = view.state.selection.main
  return from === to ? undefined : view.state.sliceDoc(from, to)
}

/** Opens the saved query that the address names, once the queries are there; it leaves the address then. */
function useQueryOfAddress(
  queries: readonly SavedQuery[] | undefined,
  onOpen: (query: SavedQuery) => void,
): void {
  const search: { query?: unknown } = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const named = queries?.find(({ id }) => id === search.query)
  const open = useRef(onOpen)
  useEffect(() => {
    open.current = onOpen
  })
  useEffect(() => {
    if (named === undefined) return
    open.current(named)
    changeSearch({ query: undefined })
  }, [named, changeSearch])
}
