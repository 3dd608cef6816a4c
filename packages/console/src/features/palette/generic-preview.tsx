import { Facts } from '../../ui/facts.tsx'
import { Button } from '../../ui/button.tsx'
import type { PaletteItems } from './item.ts'
import type { ActionsProps } from './kinds.tsx'
import { ShortcutKeys } from './shortcut-keys.tsx'

type Generic = PaletteItems['route' | 'action' | 'theme']

/** Where a page is or a command leads, and the keys for it. */
export function GenericDetails({ item }: { item: Generic }) {
  const path = item.type === 'route' ? item.path : item.command.path
  const facts = [
    ...(path === undefined
      ? []
      : [{ label: 'Path', value: <code className="font-mono text-small">{path}</code> }]),
    ...(item.shortcuts.length === 0
      ? []
      : [
          {
            label: item.shortcuts.length === 1 ? 'Shortcut' : 'Shortcuts',
            value: <ShortcutKeys shortcuts={item.shortcuts} />,
          },
        ]),
  ]
  return (
    <>
      {item.description ? <p className="text-text-2">{item.description}</p> : null}
      {facts.length > 0 ? <Facts facts={facts} /> : null}
    </>
  )
}

export function RouteActions({ onChoose }: ActionsProps<PaletteItems['route']>) {
  return (
    <Button variant="primary" onClick={onChoose}>
      Navigate
    </Button>
  )
}

export function CommandActions({ onChoose }: ActionsProps<PaletteItems['action' | 'theme']>) {
  return (
    <Button variant="primary" onClick={onChoose}>
      Run Action
    </Button>
  )
}
