import type { EditorView } from '@codemirror/view'

/** Replaces the whole text, so that one undo brings the old one back; the place on screen is kept. */
export function replaceText(view: EditorView, text: string): void {
  const old = view.state.doc.toString()
  if (old === text) return
  let start = 0
  while (start < old.length && start < text.length && old[start] === text[start]) start += 1
  let end = 0
  while (
    end < old.length - start &&
    end < text.length - start &&
    old[old.length - 1 - end] === text[text.length - 1 - end]
  ) {
    end += 1
  }
  view.dispatch({
    changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
  })
}
