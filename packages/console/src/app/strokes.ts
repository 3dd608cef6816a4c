import type { Shortcut } from '../lib/command.ts'

export interface Keystroke {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** The stroke as shortcuts spell it (`Mod+Shift+Q`, `g`, `?`), or undefined for a modifier alone. */
export function strokeOf(event: Keystroke, isApple: boolean): string | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift', 'Dead'].includes(event.key)) return undefined
  const isMod = isApple ? event.metaKey : event.ctrlKey
  const isOther = isApple ? event.ctrlKey : event.metaKey
  if (isOther) return undefined
  const hasModifier = isMod || event.altKey
  const key = event.key.length === 1 && hasModifier ? event.key.toUpperCase() : event.key
  // Shift is part of a sign such as "?"; only beside another modifier does it count by itself.
  return `${isMod ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${hasModifier && event.shiftKey ? 'Shift+' : ''}${key}`
}

export type StrokeOutcome<C> =
  | { kind: 'run'; command: C }
  /** More strokes are needed; these were pressed so far. */
  | { kind: 'wait'; pressed: readonly string[] }
  | { kind: 'none' }

/** What the next stroke means after those already pressed. A stroke that leads nowhere starts anew. */
export function matchStroke<C extends { shortcuts: readonly Shortcut[] }>(
  commands: readonly C[],
  pressed: readonly string[],
  stroke: string,
): StrokeOutcome<C> {
  const next = [...pressed, stroke]
  for (const command of commands) {
    if (command.shortcuts.some((shortcut) => isSame(shortcut, next))) return { kind: 'run', command }
  }
  const isPrefix = commands.some((command) =>
    command.shortcuts.some((shortcut) => isSame(shortcut.slice(0, next.length), next)),
  )
  if (isPrefix) return { kind: 'wait', pressed: next }
  return pressed.length > 0 ? matchStroke(commands, [], stroke) : { kind: 'none' }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((stroke, index) => stroke === other[index])
}
