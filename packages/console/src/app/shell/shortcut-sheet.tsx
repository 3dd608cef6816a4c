import { Fragment } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { stopKeys } from '../../ui/one-tab-stop.ts'
import { useShownKeys } from '../../ui/shown-keys.ts'
import { rowKeys } from '../../ui/table-keyboard.ts'
import { commands } from '../commands.ts'
import type { Shortcut } from '../../lib/command.ts'

/** Every shortcut of the console and of the page that is open, by group. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const groups = [...new Set(commands.map((command) => command.group))]
  const sections = [
    ...groups.map((group) => ({
      name: group,
      rows: commands.filter((command) => command.group === group && command.shortcuts.length > 0),
    })),
    ...useKeySections(),
  ]
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" size="wide">
      <div className="columns-1 gap-8 pb-2 sm:columns-2">
        {sections.map((section) => (
          <section key={section.name} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-small font-medium text-text-3">{section.name}</h3>
            <dl>
              {section.rows.map((row) => (
                <div key={row.name} className="flex min-h-7 items-center justify-between gap-4">
                  <dt>{row.name}</dt>
                  <dd className="flex items-center gap-1.5">
                    {row.shortcuts.map((shortcut, index) => (
                      <Fragment key={shortcut.join(' ')}>
                        {index > 0 ? <span className="text-small text-text-3">or</span> : null}
                        <Strokes shortcut={shortcut} />
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** The keys of what is on screen, and those of lists wherever one is. */
function useKeySections() {
  const shown = useShownKeys()
  const lists = { name: 'Lists', keys: rowKeys }
  const all = shown.some(({ name }) => name === lists.name) ? shown : [...shown, lists]
  const frame = { name: 'Sidebar and header', keys: Object.values(stopKeys) }
  return [...all, frame].map(({ name, keys }) => ({
    name,
    rows: keys.map((key) => ({ name: key.does, shortcuts: key.keys.map((stroke) => [stroke]) })),
  }))
}

function Strokes({ shortcut }: { shortcut: Shortcut }) {
  return (
    <span className="inline-flex gap-1">
      {shortcut.map((stroke) => (
        <KeyHint key={stroke} keys={stroke === '+' ? ['+'] : stroke.split('+')} />
      ))}
    </span>
  )
}
