let remembered: Range | undefined

/**
 * Remembers the text that is selected in the page: a palette or a button through which annotation mode is switched
 * on takes the selection away. A press on anything but a button or a layer above the page forgets it.
 */
export function rememberSelection(): () => void {
  const remember = () => {
    // Whoever types in a field selects nothing of the page, and asking costs a layout at every key.
    if (document.activeElement?.matches('input,textarea')) return
    const selection = document.getSelection()
    if (selection && !selection.isCollapsed && selection.rangeCount > 0) {
      remembered = selection.getRangeAt(0).cloneRange()
    }
  }
  const forget = ({ target }: Event) => {
    if (target instanceof Element && !target.closest('button,[role="dialog"]')) remembered = undefined
  }
  // Selected before this was loaded.
  remember()
  document.addEventListener('selectionchange', remember)
  document.addEventListener('pointerdown', forget, true)
  return () => {
    document.removeEventListener('selectionchange', remember)
    document.removeEventListener('pointerdown', forget, true)
  }
}

/** Selects again what was selected before, if it still stands in the page. */
export function restoreSelection(): void {
  const selection = document.getSelection()
  if (!selection || !remembered?.startContainer.isConnected || !selection.isCollapsed) return
  selection.removeAllRanges()
  selection.addRange(remembered)
}
