import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isTyping } from '../ui/table-keyboard.ts'
import { commands } from './commands.ts'
import type { CommandContext } from './commands.ts'
import { matchStroke, strokeOf } from './strokes.ts'

/** A second stroke later than this belongs to nothing. */
const chordTimeoutMs = 1_500

export type ShortcutTargets = Omit<CommandContext, 'navigate'>

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Runs commands by their shortcuts while the shell is on screen; draws nothing. */
export default function Shortcuts({
  togglePalette,
  toggleSidebar,
  focusSearch,
  showShortcuts,
}: ShortcutTargets) {
  const router = useRouter()
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
    document.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', onKey)
    }
  }, [router, togglePalette, toggleSidebar, focusSearch, showShortcuts])
  return null
}
