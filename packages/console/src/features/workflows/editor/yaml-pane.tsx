import { openSearchPanel } from '@codemirror/search'
import { setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { StepTypeInfo } from '@bey/contract'
import { diffLines } from 'diff'
import { Download, Search } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { downloadText } from '../../../lib/download.ts'
import { CodeEditor } from '../../../ui/code-editor/code-editor.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { stepAt } from '../definition/draft.ts'
import type { Draft } from '../definition/draft.ts'
import { PaneHead } from './pane-head.tsx'
import { ProblemBar } from './problem-bar.tsx'
import type { Suggestion } from './suggestions.ts'
import { useDebounced } from './use-debounced.ts'
import type { Editor } from './use-editor.ts'
import type { CompletionSource } from './yaml-completion.ts'
import { yamlCompletion } from './yaml-completion.ts'
import { setMarks, yamlMarks } from './yaml-marks.ts'

export interface YamlPaneProps {
  editor: Editor
  /** The saved text, from which lines differ. */
  baseText: string
  types: readonly StepTypeInfo[]
  suggestions: (step: number | undefined) => readonly Suggestion[]
  isReadOnly: boolean
  onSubmit: () => void
}

/** The definition as text, in step with graph and form. */
export function YamlPane(props: YamlPaneProps) {
  const { editor, baseText, types, suggestions, isReadOnly, onSubmit } = props
  const { view, draft } = editor
  const latest = useRef<CompletionSource>(undefined)
  useEffect(() => {
    latest.current = { draft, types, stepAt: (offset) => stepAt(draft, offset), suggestions }
  })
  const extensions = useMemo(() => {
    const complete = yamlCompletion(
      () => latest.current ?? { draft, types: [], stepAt: () => undefined, suggestions: () => [] },
    )
    return [yamlMarks, EditorState.languageData.of(() => [{ autocomplete: complete }])]
    // The source is read when it is needed; the extension stays the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  useMarks(editor, baseText)
  useDiagnostics(editor)
  const followCursor = () => {
    if (!view?.hasFocus) return
    const index = stepAt(draft, view.state.selection.main.head)
    if (index !== editor.selected) editor.select(index)
  }
  return (
    <section aria-label="YAML" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <PaneHead
        title="YAML"
        detail={editor.unreadable ? 'not yet in the graph' : undefined}
        actions={
          <>
            <IconButton
              label="Search the text"
              size="small"
              icon={<Search size={14} aria-hidden />}
              onClick={() => view && openSearchPanel(view)}
            />
            <CopyButton text={editor.text} label="Copy the YAML" />
            <IconButton
              label="Download the YAML"
              size="small"
              icon={<Download size={14} aria-hidden />}
              onClick={() => downloadText(fileName(draft), editor.text, 'application/yaml')}
            />
          </>
        }
      />
      <div className="relative min-h-0 flex-1">
        <CodeEditor
          initialText={editor.text}
          language="yaml"
          label="Definition of the workflow"
          isReadOnly={isReadOnly}
          extensions={extensions}
          onChange={editor.onText}
          onUpdate={followCursor}
          onSubmit={onSubmit}
          onView={editor.setView}
          className="absolute inset-0"
        />
      </div>
      <ProblemBar editor={editor} />
    </section>
  )
}

function useMarks(editor: Editor, baseText: string) {
  const { view, draft, selected } = editor
  const compared = useDebounced(draft, 300)
  const changed = useMemo(() => changedLines(baseText, compared.text), [baseText, compared])
  useEffect(() => {
    if (!view || view.state.doc.length !== draft.text.length) return
    view.dispatch({ effects: setMarks.of({ selected: linesOf(draft, selected), changed }) })
  }, [view, draft, selected, changed])
  const shown = useRef(selected)
  useEffect(() => {
    if (shown.current === selected) return
    shown.current = selected
    // Chosen in the graph, not by the cursor of the text.
    if (!view || view.hasFocus || selected === undefined) return
    const at = Math.min(draft.ranges[selected]?.from ?? 0, view.state.doc.length)
    view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'start', yMargin: 40 }) })
  }, [view, draft, selected])
}

function linesOf(draft: Draft, index: number | undefined) {
  const range = index === undefined ? undefined : draft.ranges[index]
  if (!range) return undefined
  const { from, to } = range
  const end = draft.text.slice(from, to).trimEnd().length
  return { from: draft.lineAt(from), to: draft.lineAt(from + end) }
}

/** Comparing longer texts line by line would hold up the next letter. */
const longestCompared = 200_000

function changedLines(before: string, after: string): number[] {
  if (before === '' || after.length > longestCompared) return []
  const lines: number[] = []
  let line = 1
  for (const { added, removed, count } of diffLines(before, after)) {
    if (added) for (let each = line; each < line + count; each += 1) lines.push(each)
    if (!removed) line += count
  }
  return lines
}

function useDiagnostics({ view, problems, unreadable, draft }: Editor) {
  useEffect(() => {
    if (!view) return
    const length = view.state.doc.length
    const all = unreadable
      ? [{ ...unreadable, severity: 'error' as const }]
      : draft.text.length === length
        ? problems
        : []
    const shown = all.slice(0, 200).map(({ from, to, severity, message }) => ({
      from: Math.min(from, length),
      to: Math.min(Math.max(to, from), length),
      severity,
      message,
    }))
    view.dispatch(setDiagnostics(view.state, shown))
  }, [view, problems, unreadable, draft])
}

function fileName({ root }: Draft): string {
  const name = typeof root['name'] === 'string' ? root['name'] : 'workflow'
  return `${
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'workflow'
  }.yaml`
}
