import type { ErrorGroup, ErrorGroupStatus } from '@bey/contract'
import { Check, CircleSlash, Ellipsis, Link2, RotateCcw } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import type { StatusChange } from './status-undo-bar.tsx'
import { useErrorStatus } from './use-error-status.ts'

/** What can be done with one error of the list. */
export function ErrorMenu({
  group,
  onChange,
}: {
  group: ErrorGroup
  onChange: (change: StatusChange) => void
}) {
  const { set, disabledReason } = useErrorStatus()
  const icon = { size: 14, 'aria-hidden': true } as const
  const move = async (status: ErrorGroupStatus) => {
    const groups = await set([group], status)
    if (groups.length > 0) onChange({ groups, to: status })
  }
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${group.message.slice(0, 80)}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      {group.status === 'resolved' ? null : (
        <MenuItem
          icon={<Check {...icon} />}
          disabledReason={disabledReason}
          onSelect={() => void move('resolved')}
        >
          Resolve
        </MenuItem>
      )}
      {group.status === 'ignored' ? null : (
        <MenuItem
          icon={<CircleSlash {...icon} />}
          disabledReason={disabledReason}
          onSelect={() => void move('ignored')}
        >
          Ignore
        </MenuItem>
      )}
      {group.status === 'open' ? null : (
        <MenuItem
          icon={<RotateCcw {...icon} />}
          disabledReason={disabledReason}
          onSelect={() => void move('open')}
        >
          Reopen
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Link2 {...icon} />} onSelect={() => void copyLink(group.id)}>
        Copy link
      </MenuItem>
    </Menu>
  )
}

async function copyLink(id: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${location.origin}/errors/${id}`)
    toast('success', 'Copied to clipboard')
  } catch {
    // The browser or the user forbade the clipboard.
    toast('error', 'The browser does not allow copying here')
  }
}
