import type { SecretSync, SecretSyncAct } from '@bey/contract'
import { Ellipsis } from 'lucide-react'
import type { SecretSyncChange } from '../../data/secret-syncs.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

export interface SyncMenuProps {
  sync: SecretSync
  deniedReason: string | undefined
  onCommand: (command: { how: SecretSyncAct } | { change: SecretSyncChange }) => void
  onRemove: () => void
}

/** What can be done with one copy in a cluster, each with the reason where it cannot. */
export function SyncMenu({ sync, deniedReason, onCommand, onRemove }: SyncMenuProps) {
  const { clusterTitle, namespace, name, state, correctsDrift, restarts, drift } = sync
  const removing = state === 'removing' ? 'It is being removed.' : undefined
  const act = (how: SecretSyncAct, label: string, reason?: string) => (
    <MenuItem onSelect={() => onCommand({ how })} disabledReason={deniedReason ?? removing ?? reason}>
      {label}
    </MenuItem>
  )
  const same = drift.length === 0 ? 'Nothing differs in the cluster.' : undefined
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${clusterTitle}, ${namespace}/${name}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      {state === 'conflict' ? act('take_over', 'Take over the Secret that is there') : null}
      {act('put_right', 'Put right', same)}
      {act('accept', 'Accept what differs', state === 'drifted' ? undefined : (same ?? 'It was accepted.'))}
      {act('retry', 'Look now')}
      <MenuSeparator />
      <MenuItem
        checked={correctsDrift}
        disabledReason={deniedReason ?? removing}
        onSelect={() => onCommand({ change: { correctsDrift: !correctsDrift } })}
      >
        Put right by itself
      </MenuItem>
      <MenuItem
        checked={restarts}
        disabledReason={deniedReason ?? removing}
        onSelect={() => onCommand({ change: { restarts: !restarts } })}
      >
        Restart what uses it
      </MenuItem>
      <MenuSeparator />
      <MenuItem isDanger onSelect={onRemove} disabledReason={deniedReason}>
        Remove
      </MenuItem>
    </Menu>
  )
}
