import {
  ArrowRightLeft,
  Ellipsis,
  Eye,
  History,
  Moon,
  Play,
  Plug,
  RotateCw,
  Trash,
  Unplug,
} from 'lucide-react'
import type { Database } from '../../data/databases.ts'
import { databaseHref, isExternal, isLetGo, restoreHref } from '../../entities/databases/database-text.ts'
import { useDatabaseActions } from '../../entities/databases/use-database-actions.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

/** Everything that can be done with one database, each with the reason where it cannot. */
export function DatabaseMenu({
  database,
  isOnPage = false,
  onDelete,
  onFailOver,
}: {
  database: Database
  isOnPage?: boolean
  onDelete: () => void
  /** Where another instance can be made the primary. */
  onFailOver?: () => void
}) {
  const { restart, hibernate, resume, deleteReason, failOverReason } = useDatabaseActions(database)
  const icon = { size: 14, 'aria-hidden': true } as const
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${database.name}`}
          size={isOnPage ? 'normal' : 'small'}
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      {isOnPage ? null : (
        <>
          <MenuItem icon={<Eye {...icon} />} href={databaseHref(database.id)}>
            View details
          </MenuItem>
          <MenuItem icon={<Plug {...icon} />} href={databaseHref(database.id, 'connect')}>
            Connect
          </MenuItem>
        </>
      )}
      {database.provider === 'embedded' ? (
        <MenuItem icon={<History {...icon} />} href={restoreHref(database.id)}>
          Restore…
        </MenuItem>
      ) : null}
      {isExternal(database) ? null : (
        <>
          <MenuItem
            icon={<RotateCw {...icon} />}
            onSelect={restart.run}
            disabledReason={restart.disabledReason}
          >
            Restart
          </MenuItem>
          {database.provider === 'cnpg' && onFailOver ? (
            <MenuItem
              icon={<ArrowRightLeft {...icon} />}
              onSelect={onFailOver}
              disabledReason={failOverReason}
            >
              Switch over…
            </MenuItem>
          ) : null}
          {database.status === 'hibernated' ? (
            <MenuItem icon={<Play {...icon} />} onSelect={resume.run} disabledReason={resume.disabledReason}>
              Resume
            </MenuItem>
          ) : (
            <MenuItem
              icon={<Moon {...icon} />}
              onSelect={hibernate.run}
              disabledReason={hibernate.disabledReason}
            >
              Hibernate
            </MenuItem>
          )}
        </>
      )}
      <MenuSeparator />
      <MenuItem
        icon={isLetGo(database) ? <Unplug {...icon} /> : <Trash {...icon} />}
        isDanger
        onSelect={onDelete}
        disabledReason={deleteReason}
      >
        {isLetGo(database) ? 'Disconnect' : 'Delete'}
      </MenuItem>
    </Menu>
  )
}
