import { useLayoutEffect } from 'react'
import { isApple } from '../../ui/is-apple.ts'
import { isTyping } from '../../ui/is-typing.ts'
import { strokeOf } from '../strokes.ts'

/** The keys that open the palette and fold the sidebar, handled before their code is loaded. */
const urgent = new Set(['Mod+K', 'Mod+B'])
/** Enough for two chords; who presses more is doing something else. */
const maxKept = 4

let early: { stroke: string; event: KeyboardEvent }[] = []

function keep(event: KeyboardEvent) {
  const stroke = strokeOf(event, isApple)
  if (stroke === undefined) return
  if (urgent.has(stroke)) {
    // Else the browser would do what it does with them. Who presses again because nothing happens wants it once.
    event.preventDefault()
    early = early.filter((each) => each.stroke !== stroke)
  } else if (stroke.length > 1 || isTyping(event.target)) return
  early = [...early, { stroke, event: new KeyboardEvent(event.type, event) }].slice(-maxKept)
}

/** Keeps what is pressed before the shortcuts have come. */
export function useEarlyKeys(): void {
  // Before the shell is seen, or who is quick would be too quick.
  useLayoutEffect(() => {
    document.addEventListener('keydown', keep)
    return () => void endEarlyKeys()
  }, [])
}

/** Called when the shortcuts listen themselves; answers what was pressed before, in its order. */
export function endEarlyKeys(): KeyboardEvent[] {
  document.removeEventListener('keydown', keep)
  const kept = early.map(({ event }) => event)
  early = []
  return kept
}
