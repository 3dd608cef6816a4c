import type { SecretDetail } from '@bey/contract'
import { deniedReason, secretTypeLabels } from '@bey/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { SecretStatus } from '../../entities/secrets/secret-status.tsx'
import { secretCondition, secretHref } from '../../entities/secrets/secret-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import type { DetailTab } from '../../ui/detail-page.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { AccessTab } from './access-tab.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { ClustersTab } from './clusters-tab.tsx'
import { labelTexts } from '../../lib/label-text.ts'
import { OverviewTab } from './overview-tab.tsx'
import { SecretMenu } from './secret-menu.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { VersionsTab } from './versions-tab.tsx'

const DeleteSecretDialog = lazyPart(async () => ({
  default: (await import('../../entities/secrets/delete-secret-dialog.tsx')).DeleteSecretDialog,
}))
const RevealDialog = lazyPart(async () => ({
  default: (await import('../../entities/secrets/reveal-dialog.tsx')).RevealDialog,
}))
const NewValueDialog = lazyPart(async () => ({
  default: (await import('./new-value-dialog.tsx')).NewValueDialog,
}))

const RotateDialog = lazyPart(async () => ({
  default: (await import('./rotate-dialog.tsx')).RotateDialog,
}))
const ShareDialog = lazyPart(async () => ({
  default: (await import('./share-dialog.tsx')).ShareDialog,
}))

const tabs: readonly DetailTab<SecretDetail>[] = [
  { id: 'overview', label: 'Overview', content: (secret) => <OverviewTab secret={secret} /> },
  { id: 'versions', label: 'Versions', content: (secret) => <VersionsTab secret={secret} /> },
  { id: 'clusters', label: 'Clusters', content: (secret) => <ClustersTab secret={secret} /> },
  { id: 'access', label: 'Access', content: (secret) => <AccessTab secret={secret} /> },
  { id: 'activity', label: 'Activity', content: (secret) => <ActivityTab secret={secret} /> },
  { id: 'settings', label: 'Settings', content: (secret) => <SettingsTab secret={secret} /> },
]

/** One secret: what is known of it without its value, and the way to that. */
export function SecretDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const search: { tab?: unknown } = useSearch({ strict: false })
  const query = useRead('secrets.get', { params: { id } })
  const { data: secret } = query
  usePageTitle(isMissing(query) ? 'Secret not found' : secret?.name)
  const [nowMs] = useState(() => Date.now())
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('Read this secret', 'secrets.get', { params: { id } }, organizationId)])
  return (
    <DetailPage
      noun="secret"
      subject={secret}
      title={secret?.name}
      badges={(shown) => <Badges secret={shown} nowMs={nowMs} />}
      subtitle={(shown) => <Description secret={shown} nowMs={nowMs} />}
      actions={(shown) => <HeadActions secret={shown} />}
      notice={(shown) => (shown.status === 'pending_deletion' ? <Deletion secret={shown} /> : null)}
      tabs={tabs}
      tab={typeof search.tab === 'string' ? search.tab : undefined}
      tabHref={(tab) => secretHref(id, tab)}
      missing={
        isMissing(query) && {
          title: 'There is no such secret in this organization',
          description:
            'It may have been deleted for good, or it belongs to another of your organizations: switch in the menu at the bottom of the sidebar.',
          action: <ButtonLink href="/secrets">All secrets</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch secret', query)}
    />
  )
}

function Badges({ secret, nowMs }: { secret: SecretDetail; nowMs: number }) {
  return (
    <>
      <Badge>{secretTypeLabels[secret.type]}</Badge>
      {labelTexts(secret.labels).map((label) => (
        <Link key={label} href={`/secrets?label=${encodeURIComponent(label)}`}>
          <Badge>{label}</Badge>
        </Link>
      ))}
      {secretCondition(secret, nowMs) === 'active' ? null : <SecretStatus secret={secret} variant="badge" />}
    </>
  )
}

function Description({ secret, nowMs }: { secret: SecretDetail; nowMs: number }) {
  return (
    <>
      {secret.description ? <span className="text-text">{secret.description} · </span> : null}
      Version {secret.currentVersion}, stored <RelativeTime at={secret.valueChangedAt} />
      {secret.expiresAt ? (
        <>
          , {Date.parse(secret.expiresAt) > nowMs ? 'expires' : 'expired'}{' '}
          <RelativeTime at={secret.expiresAt} />
        </>
      ) : null}
    </>
  )
}

function HeadActions({ secret }: { secret: SecretDetail }) {
  const [open, setOpen] = useState<'reveal' | 'share' | 'delete' | 'value' | 'rotate'>()
  const navigate = useNavigate()
  const denied =
    deniedReason(useRole(), 'secrets.update') ??
    (secret.status === 'pending_deletion' ? 'The secret is being deleted. Restore it first.' : undefined)
  const keepsOne =
    'It keeps one version, and a rotation needs the one before as well. Keep at least 2 under Settings.'
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onClick={() => setOpen('value')} disabledReason={denied}>
        New value
      </Button>
      <Button
        variant="primary"
        icon={<RefreshCw size={14} aria-hidden />}
        onClick={() => setOpen('rotate')}
        disabledReason={denied ?? (secret.maxVersions < 2 ? keepsOne : undefined)}
      >
        Rotate now
      </Button>
      <SecretMenu
        secret={secret}
        isOnPage
        onReveal={() => setOpen('reveal')}
        onShare={() => setOpen('share')}
        onDelete={() => setOpen('delete')}
      />
      <Suspense fallback={null}>
        {open === 'delete' ? (
          <DeleteSecretDialog
            secret={secret}
            onClose={() => {
              close()
              void navigate({ href: secretHref(secret.id) })
            }}
          />
        ) : null}
        {open === 'reveal' ? <RevealDialog secret={secret} onClose={close} /> : null}
        {open === 'rotate' ? <RotateDialog secret={secret} onClose={close} /> : null}
        {open === 'share' ? <ShareDialog secret={secret} onClose={close} /> : null}
        {open === 'value' ? <NewValueDialog secret={secret} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

function Deletion({ secret }: { secret: SecretDetail }) {
  const restore = useChange('secrets.restore')
  const denied = deniedReason(useRole(), 'secrets.delete')
  return (
    <div className="px-(--gutter) pt-4">
      <Notice
        tone="warn"
        title="This secret is being deleted"
        actions={
          <Button
            size="small"
            busy={restore.isPending}
            disabledReason={denied}
            onClick={() => restore.mutate({ params: { id: secret.id } })}
          >
            Restore
          </Button>
        }
      >
        Its value is wiped <RelativeTime at={secret.purgeAt} />. Until then it can be restored.
      </Notice>
    </div>
  )
}
