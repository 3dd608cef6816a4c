/** What a command may act on. */
export interface CommandContext {
  navigate: (target: { href: string }) => unknown
  togglePalette: () => void
  toggleSidebar: () => void
  focusSearch: () => void
  showShortcuts: () => void
}

/**
 * Strokes one after the other: `['Mod+K']` at once, `['g', 'h']` in turn. `Mod` is ⌘ on Apple systems, else Ctrl.
 * Strokes without a modifier act only where no text field has the focus.
 */
export type Shortcut = readonly string[]

export interface Command {
  id: string
  name: string
  group: 'This page' | 'General' | 'Go to' | 'Create' | 'Theme' | 'User'
  /** The first is the specified one, the others are twins that work in every browser. */
  shortcuts: readonly Shortcut[]
  /** Where it leads, if that is all that it does. */
  path?: string
  run: (context: CommandContext) => void
}
