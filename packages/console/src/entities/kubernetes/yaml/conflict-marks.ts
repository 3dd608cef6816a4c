import type { ChangeDesc, EditorState, Extension, Range, Transaction } from '@codemirror/state'
import { Prec, StateEffect, StateField } from '@codemirror/state'
import type { DecorationSet } from '@codemirror/view'
import { Decoration, EditorView, keymap } from '@codemirror/view'
import { ConflictQuestion } from './conflict-question.ts'
import type { Merge, MergeConflict, MergedLines } from './merge-texts.ts'

export type ConflictAnswer = 'mine' | 'theirs' | 'edit'

/** A conflict at its place in the text, which may have moved since. */
export interface PlacedConflict extends MergeConflict {
  from: number
  to: number
  answer: ConflictAnswer | undefined
  /** "limits.memory of container web", and who changed it: "kubectl-edit, 14:29". */
  title: string
  by: string
}

interface MergedRange {
  from: number
  to: number
  /** "live: kubectl-edit, 14:29". */
  label: string
}

export interface MergeMarks {
  conflicts: readonly PlacedConflict[]
  theirs: readonly MergedRange[]
}

const noMarks: MergeMarks = { conflicts: [], theirs: [] }

export const setMergeMarks = StateEffect.define<MergeMarks>()
const answerConflict = StateEffect.define<{ key: string; answer: ConflictAnswer }>()

export const mergeMarks = StateField.define<MergeMarks>({
  create: () => noMarks,
  update: moved,
  // Blocks change the height of the text, so they must come from the state itself.
  provide: (field) =>
    EditorView.decorations.compute([field, 'doc'], (state) => build(state, state.field(field))),
})

/** Shows where texts were merged and where they conflict; 1, 2 and 3 answer the conflict under the cursor. */
export const mergeExtension: Extension = [
  mergeMarks,
  Prec.highest(
    keymap.of(
      (['mine', 'theirs', 'edit'] as const).map((answer, index) => ({
        key: String(index + 1),
        run: (view: EditorView) => answerAtCursor(view, answer),
      })),
    ),
  ),
  EditorView.baseTheme({
    '.cm-merged': { backgroundColor: 'var(--info-soft)', position: 'relative' },
    '.cm-conflict': { backgroundColor: 'var(--warn-soft)', position: 'relative' },
    '.cm-merged::after, .cm-conflict::after': {
      content: 'attr(data-mark)',
      position: 'absolute',
      right: '0.75rem',
      color: 'var(--text-2)',
      fontFamily: 'var(--font-sans)',
      fontSize: '0.6875rem',
    },
  }),
]

export function unanswered(state: EditorState): readonly PlacedConflict[] {
  return (state.field(mergeMarks, false) ?? noMarks).conflicts.filter(({ answer }) => answer === undefined)
}

/** Places what a merge found in a document that holds the merged text. */
export function placeMarks(
  state: EditorState,
  merge: Merge,
  describe: {
    conflict: (conflict: MergeConflict, at: number) => Pick<PlacedConflict, 'title' | 'by'>
    merged: (at: number) => string
  },
): MergeMarks {
  return {
    conflicts: merge.conflicts.map((conflict) => {
      const place = rangeOfLines(state, { line: conflict.line, count: conflict.mine.length })
      return { ...conflict, ...place, answer: undefined, ...describe.conflict(conflict, place.from) }
    }),
    theirs: merge.theirs.flatMap(({ line, count }) =>
      Array.from({ length: count }, (_, index) => {
        const place = rangeOfLines(state, { line: line + index, count: 1 })
        return { ...place, label: describe.merged(place.from) }
      }),
    ),
  }
}

/** From the start of the first line to the start of the line behind the last one. */
function rangeOfLines({ doc }: EditorState, { line, count }: MergedLines) {
  const start = (index: number) => (index < doc.lines ? doc.line(index + 1).from : doc.length)
  return { from: start(line), to: start(line + count) }
}

/** Gives an answer: puts the chosen lines into the text, and the cursor there where they are to be edited. */
function answer(view: EditorView, key: string, chosen: ConflictAnswer): void {
  const conflict = view.state.field(mergeMarks).conflicts.find((each) => each.key === key)
  if (!conflict) return
  const effects = answerConflict.of({ key, answer: chosen })
  const { from, to } = conflict
  if (chosen === 'edit') {
    view.dispatch({ effects, selection: { anchor: view.state.doc.lineAt(from).to }, scrollIntoView: true })
  } else {
    const lines = chosen === 'mine' ? conflict.mine : conflict.theirs
    const insert = lines.map((line) => `${line}\n`).join('')
    view.dispatch({ effects, changes: { from, to, insert } })
  }
  if (chosen === 'edit') view.focus()
}

function answerAtCursor(view: EditorView, chosen: ConflictAnswer): boolean {
  if (view.state.readOnly) return false
  const { head } = view.state.selection.main
  const here = unanswered(view.state).find(({ from, to }) => head >= from && head <= Math.max(from, to - 1))
  if (!here) return false
  answer(view, here.key, chosen)
  return true
}

function moved(marks: MergeMarks, transaction: Transaction): MergeMarks {
  let next = marks
  for (const effect of transaction.effects) if (effect.is(setMergeMarks)) return effect.value
  if (transaction.docChanged) next = map(next, transaction.changes)
  for (const effect of transaction.effects) {
    if (!effect.is(answerConflict)) continue
    const { key, answer: chosen } = effect.value
    next = {
      ...next,
      conflicts: next.conflicts.map((each) => (each.key === key ? { ...each, answer: chosen } : each)),
    }
  }
  return next
}

function map(marks: MergeMarks, changes: ChangeDesc): MergeMarks {
  const place = <T extends { from: number; to: number }>(each: T): T => ({
    ...each,
    // Lines that are put in between belong to the place: an answer replaces nothing by something.
    from: changes.mapPos(each.from, -1),
    to: changes.mapPos(each.to, 1),
  })
  return {
    conflicts: marks.conflicts.map(place),
    theirs: marks.theirs.map((each) => ({
      ...each,
      from: changes.mapPos(each.from, 1),
      to: changes.mapPos(each.to, -1),
    })),
  }
}

const answerText: Record<ConflictAnswer, string> = {
  mine: 'yours, chosen',
  theirs: 'live, chosen',
  edit: 'edited by you',
}

function build(state: EditorState, marks: MergeMarks): DecorationSet {
  const ranges: Range<Decoration>[] = []
  for (const { from, to, label } of marks.theirs) {
    if (to > from && from < state.doc.length)
      ranges.push(lineMark('cm-merged', label).range(state.doc.lineAt(from).from))
  }
  for (const conflict of marks.conflicts) {
    const { from, to, answer: chosen } = conflict
    const first = state.doc.lineAt(Math.min(from, state.doc.length)).from
    ranges.push(
      Decoration.widget({ widget: new ConflictQuestion(conflict, answer), block: true, side: -1 }).range(
        first,
      ),
    )
    const mark = chosen ? answerText[chosen] : 'conflict, not answered'
    for (let at = first; at < to; at = state.doc.lineAt(at).to + 1)
      ranges.push(lineMark('cm-conflict', mark).range(at))
  }
  return Decoration.set(ranges, true)
}

function lineMark(className: string, mark: string): Decoration {
  return Decoration.line({ class: className, attributes: { 'data-mark': mark } })
}
