import type { SecretDetail, SecretVersion } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useVersionAct } from '../../data/secrets.ts'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { toastCause } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { CompareDialog } from './compare-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { RevealDialog } from '../../entities/secrets/reveal-dialog.tsx'
import { revealReason } from '../../entities/secrets/reveal-reason.ts'
import { useRollbackAct } from './use-rollback-act.ts'
import { ActorName } from '../../entities/actor-name.tsx'

type Open = { dialog: 'reveal' | 'compare' | 'rollback' | 'destroy'; version: number }

/** Every version that is kept, newest first. */
export function VersionsTab({ secret }: { secret: SecretDetail }) {
  const list = useRead('secrets.versions', { params: { id: secret.id } })
  const failure = failureOf('Failed to fetch versions', list)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const act = useVersionAct(secret.id)
  const rollback = useRollbackAct(secret, close)

  return (
    <>
      <Table
        label="Versions"
        columns={columns}
        rows={list.data?.versions}
        rowKey={({ version }) => String(version)}
        rowLabel={({ version }) => `Version ${version}`}
        rowActions={(version) => (
          <VersionMenu
            secret={secret}
            version={version}
            onOpen={(dialog) => setOpen({ dialog, version: version.version })}
            onAct={(name) =>
              act.mutate(
                { act: name, version: version.version },
                { onError: (error) => toast('error', 'Failed to change the version', toastCause(error)) },
              )
            }
          />
        )}
        error={failure && <ErrorState {...failure} />}
        empty={<EmptyState title="No versions" description="Every value that is stored makes a version." />}
        isFilled
      />
      {open?.dialog === 'reveal' ? (
        <RevealDialog secret={secret} version={open.version} onClose={close} />
      ) : null}
      {open?.dialog === 'compare' ? (
        <CompareDialog secret={secret} version={open.version} onClose={close} />
      ) : null}
      {open?.dialog === 'rollback' ? (
        <ReasonDialog
          title={`Go back to version ${open.version}`}
          description="Its value is stored again as a new version. Nobody sees it on the way, and nothing is lost."
          action="Roll back"
          busy={rollback.isPending}
          error={rollback.error}
          onSubmit={(reason) => rollback.run(open.version, reason)}
          onClose={close}
        />
      ) : null}
      {open?.dialog === 'destroy' ? (
        <ReasonDialog
          title={`Destroy version ${open.version}`}
          description="Its value is wiped and cannot be brought back. That it was there stays recorded."
          action="Destroy version"
          isDestructive
          busy={act.isPending}
          error={act.error}
          onSubmit={(reason) =>
            act.mutate({ act: 'destroy', version: open.version, reason }, { onSuccess: close })
          }
          onClose={close}
        />
      ) : null}
    </>
  )
}

function VersionMenu({
  secret,
  version,
  onOpen,
  onAct,
}: {
  secret: SecretDetail
  version: SecretVersion
  onOpen: (dialog: Open['dialog']) => void
  onAct: (act: 'delete' | 'undelete') => void
}) {
  const role = useRole()
  const denied = deniedReason(role, 'secrets.update')
  const isCurrent = version.status === 'current'
  const isKept = version.status === 'superseded'
  const goneReason = isKept || isCurrent ? undefined : 'The version is deleted.'
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for version ${version.version}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem onSelect={() => onOpen('reveal')} disabledReason={revealReason(secret, role) ?? goneReason}>
        Reveal or copy value
      </MenuItem>
      {isCurrent ? null : (
        <>
          <MenuItem
            onSelect={() => onOpen('compare')}
            disabledReason={revealReason(secret, role) ?? goneReason}
          >
            Compare with the current version
          </MenuItem>
          <MenuItem onSelect={() => onOpen('rollback')} disabledReason={denied ?? goneReason}>
            Roll back to this version
          </MenuItem>
          <MenuSeparator />
          {version.status === 'soft_deleted' ? (
            <MenuItem onSelect={() => onAct('undelete')} disabledReason={denied}>
              Undelete
            </MenuItem>
          ) : (
            <MenuItem onSelect={() => onAct('delete')} disabledReason={denied ?? goneReason}>
              Delete
            </MenuItem>
          )}
          <MenuItem
            isDanger
            onSelect={() => onOpen('destroy')}
            disabledReason={
              version.status === 'destroyed'
                ? 'Its value is already wiped.'
                : secret.access === 'manage'
                  ? denied
                  : 'Only who manages the secret may destroy a version.'
            }
          >
            Destroy
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

const columns: readonly Column<SecretVersion>[] = [
  { key: 'version', header: 'Version', width: '7rem', cell: ({ version }) => `Version ${version}` },
  {
    key: 'status',
    header: 'Status',
    width: '11rem',
    isVital: true,
    cell: ({ status, liveUntil }) =>
      liveUntil === null ? (
        <Status status={status} />
      ) : (
        <span className="text-warn">
          live, ends <RelativeTime at={liveUntil} />
        </span>
      ),
  },
  {
    key: 'reason',
    header: 'Reason',
    cell: ({ reason, restoredFrom, equals }) =>
      [
        reason,
        restoredFrom === null ? '' : `value of version ${restoredFrom}`,
        restoredFrom === null && equals !== null ? `same value as version ${equals}` : '',
      ]
        .filter(Boolean)
        .join(' · ') || '—',
  },
  { key: 'by', header: 'By', width: '12rem', cell: ({ createdBy }) => <ActorName actor={createdBy} /> },
  {
    key: 'createdAt',
    header: 'Stored',
    align: 'end',
    width: '9rem',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]
