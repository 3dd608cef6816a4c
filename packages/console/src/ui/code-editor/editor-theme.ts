import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The editor in the tokens of the theme: it follows light, dark and custom colours without being built again. */
const surface = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg)', color: 'var(--text)', fontSize: '0.75rem' },
  '&.cm-focused': { outline: 'none' },
  // Above gutters and marked lines, which would cover an outline.
  '&.cm-focused::after': {
    content: "''",
    position: 'absolute',
    inset: '0',
    zIndex: '250',
    border: '2px solid var(--ring)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.25rem', overflow: 'auto' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--text-3)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.5rem', fontVariantNumeric: 'tabular-nums' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--active)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--active)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--sunken)',
    border: '1px solid var(--line)',
    color: 'var(--text-2)',
    padding: '0 0.375rem',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--overlay)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    color: 'var(--text)',
    maxWidth: 'min(28rem, 90vw)',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '16rem' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.125rem 0.5rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--active)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '500', color: 'var(--accent-text)' },
  '.cm-completionInfo': { padding: '0.5rem 0.75rem', fontFamily: 'var(--font-sans)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { padding: '0.375rem 0.75rem', fontFamily: 'var(--font-sans)' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text-2)', minWidth: '24px', minHeight: '24px' },
  '.cm-panel label': { fontSize: '0.75rem' },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--bg)',
    backgroundImage: 'none',
    border: '1px solid var(--control)',
    borderRadius: '6px',
    color: 'var(--text)',
    fontSize: '0.75rem',
    minHeight: '1.75rem',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-diagnostic': { fontFamily: 'var(--font-sans)', padding: '0.375rem 0.625rem', borderLeft: 'none' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--danger)' },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0.25rem 0.125rem' },
  '.cm-lint-marker': { width: '0.625rem', height: '0.625rem' },
  '.cm-lint-marker-error': {
    content: "''",
    backgroundColor: 'var(--danger)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lint-marker-warning': {
    content: "''",
    backgroundColor: 'var(--warn)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
})

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--info)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--ok)' },
  { tag: [tags.keyword, tags.typeName, tags.labelName], color: 'var(--accent-text)' },
  { tag: [tags.comment, tags.meta, tags.separator], color: 'var(--text-3)' },
  { tag: tags.invalid, color: 'var(--danger)' },
])

export const editorTheme: Extension = [surface, syntaxHighlighting(highlighting)]
