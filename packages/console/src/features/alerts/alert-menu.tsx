import type { ReactElement } from 'react'
import { BellOff, Bell, Ellipsis, Eye, Hand, Pencil, Send, Trash } from 'lucide-react'
import type { Alert } from '../../data/alerts.ts'
import { alertHref } from '../../entities/alerts/alert-text.ts'
import { useAlertActions } from './use-alert-actions.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

/** Everything that can be done with one alert, each with the reason where it cannot. */
export function AlertMenu({
  alert,
  isOnPage = false,
  trigger,
  onSilence,
  onDelete,
}: {
  alert: Alert
  isOnPage?: boolean
  /** Instead of a small button; it stands at the lower edge of a phone. */
  trigger?: ReactElement
  onSilence: () => void
  onDelete: () => void
}) {
  const { acknowledge, unsilence, test, updateReason, deleteReason } = useAlertActions(alert)
  const icon = { size: 14, 'aria-hidden': true } as const
  return (
    <Menu
      {...(trigger && { side: 'top' as const })}
      trigger={
        trigger ?? (
          <IconButton
            label={`Actions for ${alert.name}`}
            size={isOnPage ? 'normal' : 'small'}
            icon={<Ellipsis size={16} aria-hidden />}
          />
        )
      }
    >
      {isOnPage ? null : (
        <MenuItem icon={<Eye {...icon} />} href={alertHref(alert.id)}>
          View details
        </MenuItem>
      )}
      <MenuItem
        icon={<Hand {...icon} />}
        onSelect={acknowledge.run}
        disabledReason={acknowledge.disabledReason}
      >
        Take over
      </MenuItem>
      {alert.silence === null ? (
        <MenuItem icon={<BellOff {...icon} />} onSelect={onSilence} disabledReason={updateReason}>
          Silence…
        </MenuItem>
      ) : (
        <MenuItem
          icon={<Bell {...icon} />}
          onSelect={unsilence.run}
          disabledReason={unsilence.disabledReason}
        >
          End the silence
        </MenuItem>
      )}
      <MenuItem icon={<Pencil {...icon} />} href={alertHref(alert.id, 'rule')}>
        Edit
      </MenuItem>
      <MenuItem icon={<Send {...icon} />} onSelect={test.run} disabledReason={test.disabledReason}>
        Send a test notification
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash {...icon} />} onSelect={onDelete} disabledReason={deleteReason} isDanger>
        Delete
      </MenuItem>
    </Menu>
  )
}
