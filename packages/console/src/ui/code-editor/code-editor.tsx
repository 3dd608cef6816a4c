import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import type { Extension } from '@codemirror/state'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { cx } from '../class-names.ts'
import { editorSetup } from './editor-setup.ts'

export interface CodeEditorProps {
  /** What stands in it first. Later changes come through the view. */
  initialText: string
  /** Left out, `extensions` bring the language. */
  language?: 'yaml' | 'json'
  /** The accessible name. */
  label: string
  isReadOnly?: boolean
  /** Completion, hover, lint and marks of the language's user; a new list replaces the old one. */
  extensions?: Extension
  onChange?: (text: string) => void
  /** After anything that is no change of the text: a mark, a selection. */
  onUpdate?: () => void
  /** Ctrl+Enter, or Cmd+Enter on Apple systems. */
  onSubmit?: () => void
  /** Further keys, as CodeMirror names them; those given first are bound. */
  shortcuts?: Readonly<Record<string, () => void>>
  /** The view once it stands, and null when it goes; the first function given is called. */
  onView?: (view: EditorView | null) => void
  className?: string
}

const languages = { yaml, json }

/**
 * A code editor in the theme's colours, with search, folding, line numbers and a gutter of problems. Its text is its
 * own: the parent hears of changes and acts on the view. Load it lazily, for CodeMirror is heavy.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, isReadOnly = false, extensions = noExtensions, className } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const current = useRef(props)
  const parts = useRef({ own: new Compartment(), mode: new Compartment() })
  useEffect(() => {
    current.current = props
  })
  useEffect(() => {
    const { initialText, language } = current.current
    const made = new EditorView({
      parent: host.current ?? undefined,
      state: EditorState.create({
        doc: initialText,
        extensions: [
          Prec.high(
            keymap.of([
              { key: 'Mod-Enter', run: () => submit(current.current) },
              ...Object.keys(current.current.shortcuts ?? {}).map((key) => ({
                key,
                run: () => press(current.current, key),
              })),
            ]),
          ),
          language === undefined ? [] : languages[language](),
          parts.current.own.of(current.current.extensions ?? []),
          parts.current.mode.of(modeOf(current.current.label, current.current.isReadOnly ?? false)),
          editorSetup,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) current.current.onChange?.(update.state.doc.toString())
            else if (update.transactions.length > 0) current.current.onUpdate?.()
          }),
        ],
      }),
    })
    view.current = made
    current.current.onView?.(made)
    return () => {
      current.current.onView?.(null)
      made.destroy()
    }
  }, [])
  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.own.reconfigure(extensions) })
  }, [extensions])
  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.mode.reconfigure(modeOf(label, isReadOnly)) })
  }, [label, isReadOnly])
  return <div ref={host} className={cx('min-h-0 min-w-0', className)} />
}

const noExtensions: Extension = []

function submit({ onSubmit }: CodeEditorProps): boolean {
  onSubmit?.()
  return onSubmit !== undefined
}

function press({ shortcuts }: CodeEditorProps, key: string): boolean {
  shortcuts?.[key]?.()
  return true
}

function modeOf(label: string, isReadOnly: boolean): Extension {
  return [
    // Read-only text stays focusable, so that it can be searched, folded and copied by keyboard.
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-readonly': String(isReadOnly),
      // Checkers of accessibility do not count what is merely editable as focusable.
      tabindex: '0',
    }),
  ]
}
