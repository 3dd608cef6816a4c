import type { SavedQuery } from '@bey/contract'
import { databaseCan, deniedReason } from '@bey/contract'
import type { EditorView } from '@codemirror/view'
import { Play, Square } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useRead } from '../../../data/use-read.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { KeyHint, keyText } from '../../../ui/key-hint.tsx'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { RelationTree } from './relation-tree.tsx'
import { SqlAnswerView } from './sql-answer.tsx'
import { draftOf, forgetWriting, keepDraft, opensWriting } from './sql-drafts.ts'
import { SavedQueries, SqlHistory } from './query-lists.tsx'
import { SaveQueryDialog } from './save-query-dialog.tsx'
import { useSqlRun } from './use-sql-run.ts'

// CodeMirror is heavy: it is loaded with the tab.
const SqlEditor = lazyPart(async () => ({ default: (await import('./sql-editor.tsx')).SqlEditor }))

const firstText = 'select now(), version();\n'

/** One statement at a time, read only unless one allows writing. */
export function SqlTab({ database }: { database: Database }) {
  const { id } = database
  const role = useRole()
  const stale = useStaleReason()
  const denied = deniedReason(role, 'databases.query')
  const deniedWrite = deniedReason(role, 'databases.execute')
  const cannotConnect = databaseCan.connect(database)
  const refusal = denied ?? stale ?? cannotConnect
  const relations = useRead('databases.relations', { params: { id } }, { isEnabled: refusal === undefined })
  const [isWriting, setWriting] = useState(() => deniedWrite === undefined && opensWriting(id))
  useEffect(() => () => forgetWriting(id), [id])
  const view = useRef<EditorView | null>(null)
  const sql = useSqlRun(id)
  const [opened, setOpened] = useState<SavedQuery>()
  const [saving, setSaving] = useState<string>()
  const { answer, running } = sql
  const text = () => {
    const state = view.current?.state
    if (state === undefined) return ''
    const { from, to } = state.selection.main
    return from === to ? state.doc.toString() : state.sliceDoc(from, to)
  }
  const run = () => {
    if (refusal === undefined) sql.run(text(), isWriting ? 'write' : 'read')
  }
  const explain = () => {
    if (refusal === undefined) sql.run(text(), 'explain')
  }
  usePageKeys('SQL', [{ keys: ['e'], does: 'Explain the statement', run: explain }])
  const save = () => {
    const statement = text().trim()
    if (refusal === undefined && statement !== '') setSaving(statement)
  }
  /** Puts another statement in the place of what is in the editor; its own Undo brings that back. */
  const open = (statement: string) => {
    const editor = view.current
    if (editor === null) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: statement } })
    editor.focus()
  }
  const insert = (name: string) => {
    const editor = view.current
    if (editor === null) return
    editor.dispatch(editor.state.replaceSelection(name))
    editor.focus()
  }
  const failure = failureOf('Failed to read the tables', relations)
  const error =
    answer?.kind === 'result' ? answer.result.error : answer?.kind === 'plan' ? answer.plan.error : null
  return (
    <div className="grid min-h-0 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <aside
        aria-label="Tables"
        className="order-last min-w-0 px-(--gutter) py-3 lg:order-first lg:border-r lg:border-line"
      >
        {failure ? (
          <ErrorState {...failure} isCompact />
        ) : relations.data ? (
          <RelationTree {...relations.data} onInsert={insert} />
        ) : refusal === undefined ? (
          <Skeleton className="h-40" />
        ) : null}
        {denied === undefined ? (
          <>
            <SavedQueries
              databaseId={id}
              current={opened?.id}
              onOpen={(query) => {
                setOpened(query)
                open(query.statement)
              }}
            />
            <SqlHistory
              databaseId={id}
              onOpen={(statement) => {
                setOpened(undefined)
                open(statement)
              }}
            />
          </>
        ) : null}
      </aside>
      <div className="min-w-0">
        <Suspense fallback={<div className="h-44 border-b border-line bg-sunken" />}>
          <SqlEditor
            initialText={draftOf(id) ?? firstText}
            relations={relations.data?.relations ?? []}
            mark={answer !== undefined && error ? { error, statement: answer.statement } : undefined}
            onChange={(next) => keepDraft(id, next)}
            onView={(made) => {
              view.current = made
            }}
            onRun={run}
            onExplain={explain}
            onSave={save}
          />
        </Suspense>
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2">
          <p className="min-w-0 flex-1 basis-56 text-small text-text-2">
            {isWriting ? (
              <strong className="font-medium text-warn">
                Changes take effect at once, and are in the audit log.
              </strong>
            ) : (
              'PostgreSQL refuses every change.'
            )}{' '}
            Stops at 30 s or 500 rows.
          </p>
          <Checkbox
            label="Allow writing"
            checked={isWriting}
            disabled={deniedWrite !== undefined}
            {...(deniedWrite !== undefined && { hint: deniedWrite })}
            onChange={(event) => setWriting(event.target.checked)}
          />
          {running ? (
            <Button
              size="small"
              icon={<Square size={12} aria-hidden />}
              busy={sql.isCancelling}
              onClick={sql.cancel}
            >
              Stop
            </Button>
          ) : null}
          <Button size="small" disabledReason={refusal} onClick={save}>
            Save <KeyHint keys={['Mod', 'S']} />
          </Button>
          <Button size="small" disabledReason={refusal} busy={running?.task === 'explain'} onClick={explain}>
            Explain <KeyHint keys={['Mod', 'E']} />
          </Button>
          <Button
            size="small"
            disabledReason={refusal}
            busy={running?.task === 'analyze'}
            onClick={() => {
              if (refusal === undefined) sql.run(text(), 'analyze')
            }}
          >
            Analyze
          </Button>
          <Button
            size="small"
            variant={isWriting ? 'danger' : 'primary'}
            icon={<Play size={12} aria-hidden />}
            disabledReason={refusal}
            busy={running?.task === 'read' || running?.task === 'write'}
            onClick={run}
          >
            {isWriting ? 'Run and change' : 'Run'}{' '}
            <kbd className="font-sans text-meta">{keyText(['Mod', 'Enter'])}</kbd>
          </Button>
        </div>
        {saving === undefined ? null : (
          <SaveQueryDialog
            databaseId={id}
            statement={saving}
            opened={opened}
            onClose={() => setSaving(undefined)}
            onSaved={(query) => {
              setOpened(query)
              setSaving(undefined)
            }}
          />
        )}
        <SqlAnswerView answer={answer} database={database.name} isRunning={running !== undefined} />
      </div>
    </div>
  )
}
