import type { SecretDetail } from '@bey/contract'
import { deniedReason, secretTypeLabels } from '@bey/contract'
import { Copy, Eye, Trash } from 'lucide-react'
import { useSecret, useSecretUsage } from '../../data/secrets.ts'
import { useRole } from '../../data/session.ts'
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
import { accessLabels } from './secret-text.ts'

export function SecretDetails({ id }: PreviewProps) {
  const query = useSecret(id)
  if (query.data) return <Details secret={query.data} />
  const failure = failureOf('Failed to fetch secret', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

function Details({ secret }: { secret: SecretDetail }) {
  const usage = useSecretUsage(secret.id)
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
            value: secret.usedByCount === 0 ? 'nothing known' : formatCount(secret.usedByCount, 'thing'),
          },
          { label: 'Last used', value: <RelativeTime at={secret.lastUsedAt} /> },
          { label: 'Last read', value: <RelativeTime at={secret.lastReadAt} /> },
        ]}
      />
    </>
  )
}

export function SecretActions({ id, onChoose, onAsk }: PreviewActionsProps) {
  const { data: secret } = useSecret(id)
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
