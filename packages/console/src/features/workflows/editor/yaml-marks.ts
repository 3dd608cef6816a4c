import { RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import type { Extension, Text } from '@codemirror/state'
import type { DecorationSet } from '@codemirror/view'
import { Decoration, EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view'

/** What of a text is marked: lines count from 1. */
export interface YamlMarks {
  /** The lines of the selected step. */
  selected: { from: number; to: number } | undefined
  /** Lines that differ from the saved version. */
  changed: readonly number[]
}

export const setMarks = StateEffect.define<YamlMarks>()

const selectedLine = Decoration.line({ class: 'cm-selectedStep' })
const changedLine = Decoration.line({ class: 'cm-changedLine' })

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (decorations, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(setMarks)) return drawn(transaction.state.doc, effect.value)
    return decorations.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function drawn(doc: Text, { selected, changed }: YamlMarks): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const differing = new Set(changed)
  for (const number of new Set([...rangeLines(selected), ...changed].toSorted((a, b) => a - b))) {
    if (number < 1 || number > doc.lines) continue
    const { from } = doc.line(number)
    if (differing.has(number)) builder.add(from, from, changedLine)
    if (selected && number >= selected.from && number <= selected.to) builder.add(from, from, selectedLine)
  }
  return builder.finish()
}

const rangeLines = (range: YamlMarks['selected']) =>
  range ? Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index) : []

/** Expressions in braces stand out from the text around them. */
const templates = new MatchDecorator({
  regexp: /\{\{.*?\}\}/g,
  decoration: Decoration.mark({ class: 'cm-template' }),
})

const templateMarks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = templates.createDeco(view)
    }
    update(update: Parameters<typeof templates.updateDeco>[0]) {
      this.decorations = templates.updateDeco(update, this.decorations)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

const look = EditorView.theme({
  '.cm-selectedStep': { backgroundColor: 'var(--accent-soft)' },
  '.cm-changedLine': { boxShadow: 'inset 2px 0 var(--accent)' },
  '.cm-template': { backgroundColor: 'var(--active)', borderRadius: '3px' },
})

export const yamlMarks: Extension = [marks, templateMarks, look]
