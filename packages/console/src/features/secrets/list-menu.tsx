import { deniedReason } from '@bey/contract'
import { Download, Ellipsis, KeyRound, Link2, Upload } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'

/** What is done with many secrets at once, and with texts that are no secrets yet. */
export function ListMenu({ total, onExport }: { total: number; onExport: () => void }) {
  const role = useRole()
  const stale = useStaleReason()
  const icon = { size: 14, 'aria-hidden': true } as const
  return (
    <Menu trigger={<IconButton label="More about secrets" icon={<Ellipsis size={16} aria-hidden />} />}>
      <MenuItem
        icon={<Upload {...icon} />}
        href="/secrets/import"
        disabledReason={deniedReason(role, 'secrets.create')}
      >
        Import
      </MenuItem>
      <MenuItem
        icon={<Download {...icon} />}
        onSelect={onExport}
        disabledReason={
          deniedReason(role, 'secrets.reveal') ?? stale ?? (total === 0 ? 'The list is empty.' : undefined)
        }
      >
        Export
      </MenuItem>
      <MenuItem icon={<Link2 {...icon} />} href="/secrets/links">
        Links that open once
      </MenuItem>
      <MenuItem
        icon={<KeyRound {...icon} />}
        href="/secrets/keys"
        disabledReason={deniedReason(role, 'secrets.keys')}
      >
        Encryption keys
      </MenuItem>
    </Menu>
  )
}
