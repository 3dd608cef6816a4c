import type { SecretDetail } from '@bey/contract'
import { deniedReason, secretTypeLabels } from '@bey/contract'
import { Copy, Eye, Trash } from 'lucide-react'
import { useSecretActivity } from '../../data/secrets.ts'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { PreviewSkeleton } from '../../ui/preview-skeleton.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { PreviewActionsProps, PreviewProps } from '../preview.ts'
import { DeleteSecretDialog } from './delete-secret-dialog.tsx'
import { RevealDialog } from './reveal-dialog.tsx'
import { revealReason } from './reveal-reason.ts'
import { SecretStatus } from './secret-status.tsx'
import { accessLabels, activityLabel } from './secret-text.ts'

export function SecretDetails({ id }: PreviewProps) {
  const query = useRead('secrets.get', { params: { id } })
  if (query.data) return <Details secret={query.data} />
  const failure = failureOf('Failed to fetch secret', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

function Details({ secret }: { secret: SecretDetail }) {
  const usage = useRead('secrets.usage', { params: { id: secret.id } })
  const users = usage.data?.uses.map(({ name }) => name).join(', ')
  const reads = usage.data?.readers.reduce((sum, { readCount }) => sum + readCount, 0)
  return (
    <>
      {secret.description ? <p className="text-text-2">{secret.description}</p> : null}
      <Facts
        facts={[
          { label: 'Type', value: secretTypeLabels[secret.type] },
          { label: 'Status', value: <SecretStatus secret={secret} /> },
          { label: 'Encryption', value: 'AES-256-GCM, the organization’s own key' },
          {
            label: 'Access control',
            value:
              secret.access === null
                ? 'You see that it exists'
                : `You may ${accessLabels[secret.access].toLowerCase()} it`,
          },
          {
            label: 'Audit logging',
            value: reads === undefined ? 'Every read' : `Every read; ${formatCount(reads, 'read')} so far`,
          },
          {
            label: 'Used by',
            value:
              users ||
              (secret.usedByCount === 0 ? 'nothing known' : formatCount(secret.usedByCount, 'thing')),
          },
          { label: 'Last used', value: <RelativeTime at={secret.lastUsedAt} /> },
          { label: 'Last read', value: <RelativeTime at={secret.lastReadAt} /> },
        ]}
      />
      <RecentActivity secret={secret} />
    </>
  )
}

/** Nothing for those who may not read the trail. */
function RecentActivity({ secret }: { secret: SecretDetail }) {
  const isManager = secret.access === 'manage'
  const { data } = useSecretActivity(secret.id, isManager)
  const entries = data?.pages[0]?.entries.slice(0, 3) ?? []
  if (!isManager || entries.length === 0) return null
  return (
    <div>
      <p className="mb-1 text-small text-text-2">Recent activity</p>
      <ul className="flex flex-col gap-1 text-small">
        {entries.map(({ id, action, actor, at }) => (
          <li key={id} className="flex justify-between gap-3">
            <span className="min-w-0 truncate">
              {activityLabel(action)} by {actor}
            </span>
            <span className="shrink-0 text-text-2">
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

export function SecretActions({ id, onChoose, onAsk }: PreviewActionsProps) {
  const { data: secret } = useRead('secrets.get', { params: { id } })
  const role = useRole()
  const loading = secret ? undefined : 'Loading...'
  return (
    <>
      <Button variant="primary" icon={<Eye size={14} aria-hidden />} onClick={onChoose}>
        View Secret Details
      </Button>
      <Button
        icon={<Copy size={14} aria-hidden />}
        disabledReason={loading ?? (secret && revealReason(secret, role))}
        onClick={() => secret && onAsk((close) => <RevealDialog secret={secret} onClose={close} />)}
      >
        Copy Value
      </Button>
      <Button
        icon={<Trash size={14} aria-hidden />}
        disabledReason={loading ?? deniedReason(role, 'secrets.delete')}
        onClick={() => secret && onAsk((close) => <DeleteSecretDialog secret={secret} onClose={close} />)}
      >
        Delete Secret
      </Button>
    </>
  )
}
