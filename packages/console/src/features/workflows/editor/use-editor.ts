import { isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import type { EditorView } from '@codemirror/view'
import { useMemo, useState } from 'react'
import { useStepTypes, useValidation } from '../../../data/workflow-authoring.ts'
import { replaceText } from '../../../ui/code-editor/replace-text.ts'
import type { Draft, Unreadable } from '../definition/draft.ts'
import { readDraft } from '../definition/draft.ts'
import type { Problem } from '../definition/problems.ts'
import { localProblems, mergeProblems, serverProblems } from '../definition/problems.ts'
import { useDebounced } from './use-debounced.ts'

/** Reading a longer text after each letter would delay the next one. */
const longText = 100_000
const longWaitMs = 400
const validateWaitMs = 400

/** What graph, text and form show and change together. The text is the truth; its history is the only one. */
export interface Editor {
  text: string
  /** The last text that could be read. */
  draft: Draft
  /** Why the present text cannot be read: graph and form show the last one that could. */
  unreadable: Unreadable | undefined
  problems: readonly Problem[]
  /** The server has not answered for the present text. */
  isChecking: boolean
  /** Why the server could not check the text. */
  checkFailure: unknown
  /** Index of the selected step; undefined: the workflow itself. */
  selected: number | undefined
  select: (index: number | undefined) => void
  /** Changes the text; `typing` joins changes of one field to one step of the history. */
  edit: (change: (draft: Draft) => string, how?: 'typing') => void
  /** Replaces the text, as one step of the history. */
  replace: (text: string) => void
  view: EditorView | null
  /** For the pane of the text. */
  setView: (view: EditorView | null) => void
  onText: (text: string) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
}

/** The state of the editor of one workflow. `initialText` must be readable as YAML, or empty. */
export function useEditor(initialText: string, workflowId: string | undefined): Editor {
  const [text, setText] = useState(initialText)
  const [view, setView] = useState<EditorView | null>(null)
  const [selected, setSelected] = useState<number>()
  // What is typed as text is read after a pause where it is long; what a form changes is read at once.
  const [formText, setFormText] = useState(initialText)
  const settledText = useDebounced(text, text.length > longText ? longWaitMs : 0)
  const shown = formText === text ? text : settledText
  const read = useMemo(() => readDraft(shown), [shown])
  const [draft, setDraft] = useState(() => read.draft ?? emptyDraft())
  if (read.draft && read.draft !== draft) setDraft(read.draft)
  const step = selected === undefined || selected >= draft.steps.length ? undefined : selected

  const types = useStepTypes().data?.stepTypes
  const typeNames = useMemo(() => types && new Set(types.map(({ type }) => type)), [types])
  const settled = useDebounced(draft, validateWaitMs)
  const hasText = settled.text.trim() !== ''
  const validation = useValidation(hasText && !read.unreadable ? settled.root : undefined, workflowId)
  const local = useMemo(() => localProblems(draft, typeNames), [draft, typeNames])
  const problems = useMemo(() => {
    const found = serverProblems(draft, validation.data?.problems ?? [])
    // That there is no step yet is where everybody begins, and no mistake.
    const isBeginning = draft.steps.length === 0
    return hasText
      ? mergeProblems(local, isBeginning ? found.filter(({ path }) => path[0] !== 'steps') : found)
      : []
  }, [hasText, local, draft, validation.data])

  const current = () => (draft.text === text ? draft : (readDraft(text).draft ?? draft))
  return {
    text,
    draft,
    unreadable: read.unreadable,
    problems,
    isChecking: settled !== draft || validation.isFetching || validation.isPlaceholderData,
    checkFailure: validation.error,
    selected: step,
    select: setSelected,
    edit: (change, how) => {
      if (!view || read.unreadable) return
      const next = change(current())
      setFormText(next)
      if (how === 'typing') replaceText(view, next, { userEvent: 'input.type' })
      else replaceText(view, next, { annotations: isolateHistory.of('full') })
    },
    replace: (next) =>
      view ? replaceText(view, next, { annotations: isolateHistory.of('full') }) : undefined,
    view,
    setView,
    onText: setText,
    undo: () => void (view && undo(view)),
    redo: () => void (view && redo(view)),
    canUndo: view !== null && undoDepth(view.state) > 0,
    canRedo: view !== null && redoDepth(view.state) > 0,
  }
}

function emptyDraft(): Draft {
  const { draft } = readDraft('')
  if (!draft) throw new Error('An empty text can be read.')
  return draft
}
