import type { TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/**
 * Replaces the whole text, so that one undo brings the old one back; the place on screen is kept. `more` joins the
 * change to others in the history, or keeps it apart.
 */
export function replaceText(
  view: EditorView,
  text: string,
  more: Pick<TransactionSpec, 'annotations' | 'userEvent'> = {},
): void {
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
    ...more,
    changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
  })
}
