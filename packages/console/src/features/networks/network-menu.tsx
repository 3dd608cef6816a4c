import { Ellipsis, Eye, RotateCw, Trash } from 'lucide-react'
import type { Network } from '../../data/networks.ts'
import { networkHref } from '../../entities/networks/network-text.ts'
import { useNetworkActions } from '../../entities/networks/use-network-actions.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

/** Everything that can be done with one network, each with the reason where it cannot. */
export function NetworkMenu({
  network,
  isOnPage = false,
  onDelete,
}: {
  network: Network
  isOnPage?: boolean
  onDelete: () => void
}) {
  const { apply, deleteReason } = useNetworkActions(network)
  const icon = { size: 14, 'aria-hidden': true } as const
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${network.name}`}
          size={isOnPage ? 'normal' : 'small'}
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      {isOnPage ? null : (
        <MenuItem icon={<Eye {...icon} />} href={networkHref(network.id)}>
          View details
        </MenuItem>
      )}
      <MenuItem icon={<RotateCw {...icon} />} onSelect={apply.run} disabledReason={apply.disabledReason}>
        Apply again
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash {...icon} />} onSelect={onDelete} disabledReason={deleteReason} isDanger>
        Delete
      </MenuItem>
    </Menu>
  )
}
