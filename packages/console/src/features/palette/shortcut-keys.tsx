import { Fragment } from 'react'
import { KeyHint } from '../../ui/key-hint.tsx'
import type { Shortcut } from '../../lib/command.ts'

/** Every way to press it, as in "Ctrl N C or n c". */
export function ShortcutKeys({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-1.5">
      {shortcuts.map((shortcut, index) => (
        <Fragment key={shortcut.join(' ')}>
          {index > 0 ? <span className="text-small text-text-3">or</span> : null}
          <OneShortcut shortcut={shortcut} />
        </Fragment>
      ))}
    </span>
  )
}

/** The strokes of one shortcut, one after the other. */
export function OneShortcut({ shortcut }: { shortcut: Shortcut }) {
  return (
    <span className="inline-flex items-center gap-1">
      {shortcut.map((stroke) => (
        <KeyHint key={stroke} keys={stroke.split('+')} />
      ))}
    </span>
  )
}
