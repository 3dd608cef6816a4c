/** Nobody who types pauses for so short a time. */
const pauseMs = 500

/**
 * Moves the focus into a layer that nobody asked for. Whoever types when it opens goes on where they were: `focus` is called
 * once no key was pressed for 500 ms, or with Tab. A press or a focus in the layer ends the wait, as does the function that
 * is returned.
 */
export function focusAfterPause(layer: HTMLElement, focus: () => void): () => void {
  let timer = setTimeout(take, pauseMs)

  function take() {
    stop()
    focus()
  }
  function key(event: KeyboardEvent) {
    if (event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      take()
      return
    }
    clearTimeout(timer)
    timer = setTimeout(take, pauseMs)
  }
  function stop() {
    clearTimeout(timer)
    window.removeEventListener('keydown', key, { capture: true })
    layer.removeEventListener('focusin', stop)
    layer.removeEventListener('pointerdown', stop)
  }

  window.addEventListener('keydown', key, { capture: true })
  layer.addEventListener('focusin', stop)
  layer.addEventListener('pointerdown', stop)
  return stop
}
