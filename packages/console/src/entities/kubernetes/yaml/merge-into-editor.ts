import type { EditorView } from '@codemirror/view'
import { placeMarks, setMergeMarks, unanswered } from './conflict-marks.ts'
import { lineOwnerText, pathAtLine, pathTitle } from './describe-lines.ts'
import { parseManifest } from './manifest-documents.ts'
import { mergeTexts, nextBase } from './merge-texts.ts'
import { objectText } from './object-text.ts'
import type { Free } from './text-problem.ts'

/** What was merged: `from` is what the text was edited from, `next` what is live, `now` the same with its managers. */
interface Merge {
  from: Free
  next: Free
  now: Free
  mine: string
}

/** Merges what is live into the text of the editor, marks what was merged, and moves to the first conflict. */
export function mergeIntoEditor(
  view: EditorView,
  { from, next, now, mine }: Merge,
): { text: string; hasConflicts: boolean } {
  const before = nextBase(objectText(from), unanswered(view.state))
  const result = mergeTexts(before, mine, objectText(next))
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: result.text } })
  const parsed = parseManifest(result.text).documents[0]?.object ?? next
  const marks = placeMarks(view.state, result, {
    conflict: (_, at) => ({
      title: pathTitle(parsed, pathAtLine(result.text, at)),
      by: lineOwnerText(now, result.text, at),
    }),
    merged: (at) => `live: ${lineOwnerText(now, result.text, at)}`,
  })
  const [first] = marks.conflicts
  view.dispatch({
    effects: setMergeMarks.of(marks),
    ...(first && { selection: { anchor: first.from }, scrollIntoView: true }),
  })
  if (first) view.focus()
  return { text: result.text, hasConflicts: result.conflicts.length > 0 }
}

/** Replaces the text of the editor and forgets all marks. */
export function startWith(view: EditorView, text: string): void {
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    effects: setMergeMarks.of({ conflicts: [], theirs: [] }),
  })
}
