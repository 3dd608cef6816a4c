import { Ellipsis } from 'lucide-react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import type { ObjectAction } from './action.ts'
import type { ActionHost } from './action-host.tsx'
import { ActionIcon } from './action-icons.tsx'
import { actionsFor } from './action-table.ts'
import { useDeniedReasons } from './denied-reasons.ts'
import type { ActionAddress } from './run-action.ts'

interface RowMenuProps {
  address: ActionAddress
  start: ActionHost['start']
}

/** What can be done with a row, behind one button that is always there. */
export function ActionMenu({ address, start }: RowMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${address.name}`}
          size="small"
          data-row-menu=""
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <AddressItems address={address} start={start} />
    </Menu>
  )
}

/** Mounted as the menu opens: the cluster is asked about rights only then. */
function AddressItems({ address, start }: RowMenuProps) {
  const actions = actionsFor(address.resource)
  const reasons = useDeniedReasons(actions.map((action) => ({ action, place: address })))
  return (
    <ActionItems
      items={actions.map((action, index) => ({
        action,
        reason: reasons[index],
        run: () => start(action, [address]),
      }))}
    />
  )
}

export interface ActionItem {
  action: ObjectAction
  /** Why it cannot be done. */
  reason: string | undefined
  run: () => void
}

/** Actions as items of a menu; what destroys stands apart at the end. */
export function ActionItems({ items }: { items: readonly ActionItem[] }) {
  const firstDanger = items.findIndex(({ action }) => action.isDanger)
  return items.map(({ action, reason, run }, index) => (
    <div key={action.id} className="contents">
      {index === firstDanger && index > 0 ? <MenuSeparator /> : null}
      <MenuItem
        icon={<ActionIcon id={action.id} />}
        isDanger={action.isDanger ?? false}
        disabledReason={reason}
        {...(action.shortcut && { shortcut: [action.shortcut] })}
        onSelect={run}
      >
        {action.label}
      </MenuItem>
    </div>
  ))
}
