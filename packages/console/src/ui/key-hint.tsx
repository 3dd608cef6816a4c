import { isApple } from './is-apple.ts'

/** `Mod` is ⌘ on Apple systems and Ctrl elsewhere. */

const names: Record<string, string> = isApple
  ? { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↵', Escape: 'esc' }
  : { Mod: 'Ctrl', Enter: '↵', Escape: 'Esc' }

/** The keys as one reads them on this system: "Ctrl B", "⌘ B". */
export function keyText(keys: readonly string[]): string {
  return keys.map((key) => names[key] ?? key).join(' ')
}

export function KeyHint({ keys }: { keys: readonly string[] }) {
  return (
    <kbd className="inline-flex shrink-0 items-center gap-1 rounded-badge border border-line-strong px-1 font-sans text-meta text-text-3">
      {keyText(keys)}
    </kbd>
  )
}
