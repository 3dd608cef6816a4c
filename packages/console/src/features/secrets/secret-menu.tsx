import type { Secret } from '@bey/contract'
import { deniedReason, roleHas } from '@bey/contract'
import { Ellipsis, Eye, FileText, Link2, RotateCcw, Trash } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { secretHref } from '../../entities/secrets/secret-text.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { revealReason } from '../../entities/secrets/reveal-reason.ts'

export interface SecretMenuProps {
  secret: Secret
  onReveal: () => void
  onShare: () => void
  onDelete: () => void
  /** Whether the secret's own page is open, to which nothing needs to lead then. */
  isOnPage?: boolean
}

/** Everything that can be done with one secret, each with the reason where it cannot. */
export function SecretMenu({ secret, onReveal, onShare, onDelete, isOnPage = false }: SecretMenuProps) {
  const role = useRole()
  const stale = useStaleReason()
  const restore = useChange('secrets.restore')
  const icon = { size: 14, 'aria-hidden': true } as const
  const changeReason = roleHas(role, 'secrets.delete') ? stale : deniedReason(role, 'secrets.delete')
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${secret.name}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      {isOnPage ? null : (
        <MenuItem icon={<FileText {...icon} />} href={secretHref(secret.id)}>
          View details
        </MenuItem>
      )}
      <MenuItem
        icon={<Eye {...icon} />}
        onSelect={onReveal}
        disabledReason={revealReason(secret, role) ?? stale}
      >
        Reveal or copy value
      </MenuItem>
      <MenuItem
        icon={<Link2 {...icon} />}
        onSelect={onShare}
        disabledReason={revealReason(secret, role) ?? stale}
      >
        Share by link
      </MenuItem>
      <MenuSeparator />
      {secret.status === 'pending_deletion' ? (
        <MenuItem
          icon={<RotateCcw {...icon} />}
          onSelect={() => restore.mutate({ params: { id: secret.id } })}
          disabledReason={changeReason}
        >
          Restore
        </MenuItem>
      ) : (
        <MenuItem icon={<Trash {...icon} />} isDanger onSelect={onDelete} disabledReason={changeReason}>
          Delete
        </MenuItem>
      )}
    </Menu>
  )
}
