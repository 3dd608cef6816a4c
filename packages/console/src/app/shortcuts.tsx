import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isApple } from '../ui/is-apple.ts'
import { isTyping } from '../ui/is-typing.ts'
import { rememberSelection } from '../features/annotations/remembered-selection.ts'
import { commands } from './commands.ts'
import type { CommandContext } from '../lib/command.ts'
import { endEarlyKeys } from './shell/early-keys.ts'
import { matchStroke, strokeOf } from './strokes.ts'

/** A second stroke later than this belongs to nothing. */
const chordTimeoutMs = 1_500

export type ShortcutTargets = Omit<CommandContext, 'navigate'>

/** Runs commands by their shortcuts while the shell is on screen; draws nothing. */
export default function Shortcuts({
  togglePalette,
  toggleSidebar,
  focusSearch,
  showShortcuts,
}: ShortcutTargets) {
  const router = useRouter()
  // Together with what takes the selection away, so that none is missed.
  useEffect(rememberSelection, [])
  useEffect(() => {
    let pressed: readonly string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const onKey = (event: KeyboardEvent) => {
      const stroke = strokeOf(event, isApple)
      if (event.defaultPrevented || stroke === undefined) return
      const isPlain = !stroke.includes('+') || stroke === '+'
      if (isPlain && pressed.length === 0 && isTyping(event.target)) return
      // A dialog keeps single keys to itself.
      if (isPlain && document.querySelector('[role="dialog"],[role="menu"]')) return
      const outcome = matchStroke(commands, pressed, stroke)
      clearTimeout(timer)
      pressed = outcome.kind === 'wait' ? outcome.pressed : []
      if (outcome.kind === 'none') return
      event.preventDefault()
      if (outcome.kind === 'wait') timer = setTimeout(() => (pressed = []), chordTimeoutMs)
      else
        outcome.command.run({
          navigate: router.navigate,
          togglePalette,
          toggleSidebar,
          focusSearch,
          showShortcuts,
        })
    }
    // On the window: the keys of a page, which listens on the document, go before, whichever of both has come first.
    window.addEventListener('keydown', onKey)
    for (const event of endEarlyKeys()) onKey(event)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', onKey)
    }
  }, [router, togglePalette, toggleSidebar, focusSearch, showShortcuts])
  return null
}
