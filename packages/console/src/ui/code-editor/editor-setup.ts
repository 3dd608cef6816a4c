import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language'
import { lintGutter, lintKeymap, nextDiagnostic, previousDiagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { editorTheme } from './editor-theme.ts'

/** How many spaces a level of YAML or JSON is written with. */
const indent = '  '

/**
 * What every editor has. Tab indents; Escape and then Tab leaves the editor, as WCAG 2.1.2 asks of a place that takes
 * the Tab key. F8 goes to the next problem, Ctrl+Space completes.
 */
export const editorSetup: Extension = [
  lineNumbers(),
  lintGutter(),
  codeFolding({ placeholderText: '…' }),
  foldGutter({ openText: '▾', closedText: '▸' }),
  history(),
  drawSelection(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
  indentUnit.of(indent),
  EditorState.tabSize.of(indent.length),
  autocompletion({ icons: false }),
  search({ top: true }),
  editorTheme,
  EditorView.contentAttributes.of({ spellcheck: 'false', autocorrect: 'off', autocapitalize: 'off' }),
  keymap.of([
    { key: 'F8', run: nextDiagnostic },
    { key: 'Shift-F8', run: previousDiagnostic },
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...lintKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
]
