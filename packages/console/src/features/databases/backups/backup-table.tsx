import { type BackupTrigger, backupCan, type DatabaseBackup, deniedReason } from '@bey/contract'
import { Ellipsis, History, Lock, LockOpen, ScrollText, Trash } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf, errorText } from '../../../lib/error-text.ts'
import { absent, formatBytes, formatDuration, formatElapsed } from '../../../lib/format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Status } from '../../../ui/status.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Column } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.ts'
import { dateText, momentText } from '../../../ui/time-text.ts'

interface BackupTableProps {
  database: Database
  backups: readonly DatabaseBackup[] | undefined
  onRestore: (backup: DatabaseBackup) => void
}

/** Backups of a database, the newest first, each with what was proven of it and until when it is kept. */
export function BackupTable({ database, backups, onRestore }: BackupTableProps) {
  const [removing, setRemoving] = useState<DatabaseBackup>()
  return (
    <>
      <Table
        label="Backups"
        columns={columns}
        rows={backups}
        rowKey={({ id }) => id}
        rowLabel={(backup) => backupName(backup)}
        rowActions={(backup) => (
          <BackupMenu
            backup={backup}
            onRestore={() => onRestore(backup)}
            onRemove={() => setRemoving(backup)}
          />
        )}
        empty={
          <EmptyState
            title="No backup yet"
            description="This database could not be restored if it were lost. A backup is made while it goes on."
          />
        }
      />
      {removing ? (
        <RemoveDialog database={database} backup={removing} onClose={() => setRemoving(undefined)} />
      ) : null}
    </>
  )
}

const backupName = ({ startedAt, createdAt }: DatabaseBackup) =>
  `Backup of ${momentText(startedAt ?? createdAt)}`

const triggers: Readonly<Record<BackupTrigger, string>> = {
  manual: '',
  schedule: 'by schedule',
  before_delete: 'before a deletion',
  before_swap: 'before a swap',
  after_restore: 'after a restore',
}

const columns: readonly Column<DatabaseBackup>[] = [
  {
    key: 'at',
    header: 'Backup',
    cell: ({ startedAt, createdAt, trigger }) => (
      <>
        {momentText(startedAt ?? createdAt)} <span className="text-text-3">{triggers[trigger]}</span>
      </>
    ),
  },
  {
    key: 'status',
    header: 'State',
    width: '7.5rem',
    isVital: true,
    cell: ({ status, failure }) => (
      <span data-tooltip={failure ?? undefined}>
        <Status status={status} of="run" />
      </span>
    ),
  },
  {
    key: 'size',
    header: 'Size',
    align: 'end',
    width: '5rem',
    cell: ({ sizeBytes, storedBytes }) => (
      <span data-tooltip={storedBytes === null ? undefined : `${formatBytes(storedBytes)} stored`}>
        {formatBytes(sizeBytes)}
      </span>
    ),
  },
  {
    key: 'took',
    header: 'Took',
    align: 'end',
    width: '4rem',
    cell: ({ startedAt, finishedAt }) =>
      startedAt === null || finishedAt === null ? absent : formatElapsed(startedAt, finishedAt, 0),
  },
  {
    key: 'proven',
    header: 'Proven',
    width: '6.5rem',
    cell: ({ lastVerifiedAt, rtoMs, status }) =>
      status === 'verify_failed' ? (
        <span className="text-danger">failed</span>
      ) : lastVerifiedAt === null ? (
        <span className="text-text-3">never</span>
      ) : (
        <span data-tooltip={rtoMs === null ? undefined : `It took ${formatDuration(rtoMs)} to be back`}>
          <RelativeTime at={lastVerifiedAt} />
        </span>
      ),
  },
  {
    key: 'kept',
    header: 'Kept until',
    width: '6.5rem',
    cell: ({ expiresAt, isLocked }) =>
      isLocked ? (
        <span className="inline-flex items-center gap-1.5">
          <Lock size={12} aria-hidden className="text-text-3" /> unlocked
        </span>
      ) : expiresAt === null ? (
        absent
      ) : (
        dateText(new Date(expiresAt))
      ),
  },
]

function BackupMenu({
  backup,
  onRestore,
  onRemove,
}: {
  backup: DatabaseBackup
  onRestore: () => void
  onRemove: () => void
}) {
  const role = useRole()
  const stale = useStaleReason()
  const params = { id: backup.databaseId, backupId: backup.id }
  const lock = useChange('databases.backups.lock')
  const unlock = useChange('databases.backups.unlock')
  const denied = stale ?? deniedReason(role, 'databases.backup')
  const failed = (error: unknown) => toast('error', `Failed to change the backup: ${causeOf(error)}`)
  const icon = { size: 14, 'aria-hidden': true } as const
  const { run } = backup
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${backupName(backup)}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem
        icon={<History {...icon} />}
        onSelect={onRestore}
        disabledReason={stale ?? deniedReason(role, 'databases.restore') ?? backupCan.restore(backup)}
      >
        Restore…
      </MenuItem>
      {run === null ? null : (
        <MenuItem icon={<ScrollText {...icon} />} href={`/workflows/${run.workflowId}/runs/${run.runId}`}>
          Open its run
        </MenuItem>
      )}
      {backup.isLocked ? (
        <MenuItem
          icon={<LockOpen {...icon} />}
          onSelect={() => unlock.mutate({ params }, { onError: failed })}
          disabledReason={denied}
        >
          Unlock
        </MenuItem>
      ) : (
        <MenuItem
          icon={<Lock {...icon} />}
          onSelect={() => lock.mutate({ params }, { onError: failed })}
          disabledReason={denied}
        >
          Lock
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem
        icon={<Trash {...icon} />}
        isDanger
        onSelect={onRemove}
        disabledReason={denied ?? backupCan.delete(backup)}
      >
        Delete…
      </MenuItem>
    </Menu>
  )
}

function RemoveDialog({
  database,
  backup,
  onClose,
}: {
  database: Database
  backup: DatabaseBackup
  onClose: () => void
}) {
  const remove = useChange('databases.backups.delete')
  const failure = remove.error ? errorText('Failed to delete the backup', remove.error) : undefined
  const { storedBytes } = backup
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this backup?"
      name={`${database.name}, ${backupName(backup)}`}
      impact={[
        'Every moment that only this backup can restore',
        ...(storedBytes === null ? [] : [`${formatBytes(storedBytes)} in ${backup.place ?? 'its store'}`]),
      ]}
      action="Delete backup"
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        remove.mutate({ params: { id: backup.databaseId, backupId: backup.id } }, { onSuccess: onClose })
      }
    />
  )
}
