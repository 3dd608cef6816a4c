import type { ApiKey } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Ban, Ellipsis, FileText, Pencil, RotateCw } from 'lucide-react'
import { useRole, useUser } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { endedReason, keyHref } from './key-text.ts'

export type KeyAct = 'edit' | 'rotate' | 'revoke'

/** Everything that can be done with one key, each with the reason where it cannot. */
export function ApiKeyMenu({
  apiKey,
  onAct,
  isOnPage = false,
}: {
  apiKey: ApiKey
  onAct: (act: KeyAct) => void
  /** Whether the key's own page is open. */
  isOnPage?: boolean
}) {
  const icon = { size: 14, 'aria-hidden': true } as const
  const denied = useDenied(apiKey)
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${apiKey.name}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      {isOnPage ? null : (
        <MenuItem icon={<FileText {...icon} />} href={keyHref(apiKey.id)}>
          View details
        </MenuItem>
      )}
      <MenuItem icon={<Pencil {...icon} />} onSelect={() => onAct('edit')} disabledReason={denied.edit}>
        Edit
      </MenuItem>
      <MenuItem icon={<RotateCw {...icon} />} onSelect={() => onAct('rotate')} disabledReason={denied.rotate}>
        Rotate
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Ban {...icon} />}
        isDanger
        onSelect={() => onAct('revoke')}
        disabledReason={denied.revoke}
      >
        Revoke
      </MenuItem>
    </Menu>
  )
}

function useDenied(apiKey: ApiKey): Record<KeyAct, string | undefined> {
  const stale = useStaleReason()
  const role = useRole()
  const userId = useUser()?.id
  const common = deniedReason(role, 'apiKeys.create') ?? stale
  const ended = endedReason(apiKey)
  const foreign =
    apiKey.owner && apiKey.owner.id !== userId
      ? `This is a personal key of ${apiKey.owner.name}, who alone can rotate it.`
      : undefined
  return {
    edit: common ?? ended,
    rotate: common ?? ended ?? foreign,
    revoke: common ?? (apiKey.status === 'revoked' ? ended : undefined),
  }
}
