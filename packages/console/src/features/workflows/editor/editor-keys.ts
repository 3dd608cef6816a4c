import { useEffect, useRef } from 'react'
import { isTyping } from '../../../ui/is-typing.ts'
import { useListedKeys } from '../../../ui/shown-keys.ts'

export interface EditorKeys {
  undo: () => void
  redo: () => void
  save: () => void
  test: () => void
  nextProblem: () => void
  addStep: () => void
}

const editorKeys = [
  { keys: ['Mod+Z'], does: 'Undo' },
  { keys: ['Mod+Shift+Z', 'Mod+Y'], does: 'Redo' },
  { keys: ['Mod+S'], does: 'Save' },
  { keys: ['Mod+Enter'], does: 'Test the step' },
  { keys: ['F8'], does: 'Next problem' },
  { keys: ['a'], does: 'Add a step' },
]

/**
 * The editor's keys, wherever the focus is on its page: fields have no history of their own, so undo in one is undo of
 * the text. Keys in a dialog are the dialog's.
 */
export function useEditorKeys(keys: EditorKeys, isOn: boolean): void {
  useListedKeys('Editor', editorKeys)
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event
      if (target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]'))
        return
      const act = actOf(event, latest.current)
      if (!act) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    // Before the fields and the text see the key.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isOn])
}

function actOf(event: KeyboardEvent, keys: EditorKeys): (() => void) | undefined {
  const isMod = event.metaKey || event.ctrlKey
  const key = event.key.toLowerCase()
  if (isMod && !event.altKey) {
    if (key === 'z') return event.shiftKey ? keys.redo : keys.undo
    if (key === 'y' && !event.metaKey) return keys.redo
    if (key === 's' && !event.shiftKey) return keys.save
    if (key === 'enter') return keys.test
    return undefined
  }
  if (key === 'f8' && !event.shiftKey) return keys.nextProblem
  const isPlain = !event.altKey && !event.shiftKey
  return isPlain && key === 'a' && !isTyping(event.target) ? keys.addStep : undefined
}
