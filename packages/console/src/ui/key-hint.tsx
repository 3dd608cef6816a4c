import { isApple } from './is-apple.ts'

/** `Mod` is ⌘ on Apple systems and Ctrl elsewhere. */

const everywhere = {
  Enter: '↵',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Delete: 'Del',
  ' ': 'Space',
}

const names: Record<string, string> = isApple
  ? { ...everywhere, Mod: '⌘', Shift: '⇧', Alt: '⌥', Escape: 'esc' }
  : { ...everywhere, Mod: 'Ctrl', Escape: 'Esc' }

/** The keys as one reads them on this system: "Ctrl B", "⌘ B". */
export function keyText(keys: readonly string[]): string {
  // A capital letter alone is typed with Shift; beside another key it is only how keys are written.
  const [only = ''] = keys
  if (keys.length === 1 && /^[A-Z]$/.test(only)) return `${names['Shift'] ?? 'Shift'} ${only}`
  return keys.map((key) => names[key] ?? key).join(' ')
}

export function KeyHint({ keys }: { keys: readonly string[] }) {
  return (
    <kbd className="inline-flex shrink-0 items-center gap-1 rounded-badge border border-line-strong px-1 font-sans text-meta text-text-3">
      {keyText(keys)}
    </kbd>
  )
}
