import type { SqlError, SqlRelation } from '@bey/contract'
import { PostgreSQL, sql } from '@codemirror/lang-sql'
import { setDiagnostics } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import { useEffect, useMemo, useRef } from 'react'
import { CodeEditor } from '../../../ui/code-editor/code-editor.tsx'

interface SqlEditorProps {
  initialText: string
  relations: readonly SqlRelation[]
  /** Where the server found the last error, in the text that was sent. */
  mark: { error: SqlError; statement: string } | undefined
  onChange: (text: string) => void
  onView: (view: EditorView | null) => void
  onRun: () => void
  onExplain: () => void
  onSave: () => void
}

/** One statement, with the names of the database to choose from. Ctrl+Enter runs it, Ctrl+E explains it, Ctrl+S saves it. */
export function SqlEditor(props: SqlEditorProps) {
  const { initialText, relations, mark, onChange, onView, onRun, onExplain, onSave } = props
  const view = useRef<EditorView | null>(null)
  const extensions = useMemo(
    () => sql({ dialect: PostgreSQL, schema: schemaOf(relations), defaultSchema: 'public' }),
    [relations],
  )
  useEffect(() => {
    if (view.current) view.current.dispatch(setDiagnostics(view.current.state, marksOf(view.current, mark)))
  }, [mark])
  return (
    <CodeEditor
      initialText={initialText}
      label="SQL statement"
      extensions={extensions}
      onChange={onChange}
      onSubmit={onRun}
      shortcuts={{ 'Mod-e': onExplain, 'Mod-s': onSave }}
      onView={(made) => {
        view.current = made
        onView(made)
      }}
      className="h-44 overflow-hidden border-b border-line"
    />
  )
}

function marksOf(view: EditorView, mark: SqlEditorProps['mark']) {
  if (mark === undefined || mark.error.position === null) return []
  // The server counts characters of what was sent, the editor UTF-16 units of what stands in it.
  const begin = view.state.doc.toString().indexOf(mark.statement)
  if (begin < 0) return []
  const offset = Array.from(mark.statement)
    .slice(0, mark.error.position - 1)
    .join('').length
  const from = begin + offset
  const word = /^[\w$."]+/.exec(mark.statement.slice(offset))?.[0] ?? ' '
  const to = Math.min(view.state.doc.length, from + word.length)
  return [{ from: Math.min(from, to), to, severity: 'error' as const, message: mark.error.message }]
}

/** Tables with their columns, by schema, as the completion of CodeMirror takes them. */
function schemaOf(relations: readonly SqlRelation[]): Record<string, Record<string, string[]>> {
  const schemas: Record<string, Record<string, string[]>> = {}
  for (const { schema, name, columns } of relations) {
    const tables = (schemas[schema] ??= {})
    tables[name] = columns.map((column) => column.name)
  }
  return schemas
}
