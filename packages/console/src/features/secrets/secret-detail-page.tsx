import type { SecretDetail } from '@bey/contract'
import { deniedReason, secretTypeLabels } from '@bey/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useRestoreSecret, useSecret } from '../../data/secrets.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { SecretStatus } from '../../entities/secrets/secret-status.tsx'
import { secretCondition, secretHref } from '../../entities/secrets/secret-text.ts'
import { errorText, isNotFound } from '../../lib/error-text.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AccessTab } from './access-tab.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { labelTexts } from './label-text.ts'
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

const tabs: readonly { id: string; label: string; content: (secret: SecretDetail) => ReactNode }[] = [
  { id: 'overview', label: 'Overview', content: (secret) => <OverviewTab secret={secret} /> },
  { id: 'versions', label: 'Versions', content: (secret) => <VersionsTab secret={secret} /> },
  { id: 'access', label: 'Access', content: (secret) => <AccessTab secret={secret} /> },
  { id: 'activity', label: 'Activity', content: (secret) => <ActivityTab secret={secret} /> },
  { id: 'settings', label: 'Settings', content: (secret) => <SettingsTab secret={secret} /> },
]

/** One secret: what is known of it without its value, and the way to that. */
export function SecretDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const search: { tab?: unknown } = useSearch({ strict: false })
  const { data: secret, error, isFetching, refetch } = useSecret(id)
  usePageTitle(secret?.name)
  const [nowMs] = useState(() => Date.now())
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('Read this secret', 'secrets.get', { params: { id } }, organizationId)])
  const tab = tabs.find((each) => each.id === search.tab) ?? tabs[0]

  if (!secret && isNotFound(error)) return <NoSuchSecret />
  if (!secret && error) {
    return (
      <ErrorState
        {...errorText('Failed to fetch secret', error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  }
  return (
    <>
      <PageHeader
        title={secret?.name}
        aside={
          secret ? (
            <>
              <Badge>{secretTypeLabels[secret.type]}</Badge>
              {labelTexts(secret.labels).map((label) => (
                <Link key={label} href={`/secrets?label=${encodeURIComponent(label)}`}>
                  <Badge>{label}</Badge>
                </Link>
              ))}
              {secretCondition(secret, nowMs) === 'active' ? null : (
                <SecretStatus secret={secret} variant="badge" />
              )}
            </>
          ) : null
        }
        description={secret ? <Description secret={secret} nowMs={nowMs} /> : ' '}
        actions={secret ? <HeaderActions secret={secret} /> : null}
      >
        <Tabs
          label="Parts of the secret"
          tabs={tabs.map((each) => ({
            href: each.id === 'overview' ? secretHref(id) : secretHref(id, each.id),
            label: each.label,
            isCurrent: each.id === tab?.id,
          }))}
        />
      </PageHeader>
      {secret?.status === 'pending_deletion' ? <Deletion secret={secret} /> : null}
      {secret && tab ? tab.content(secret) : <PageSkeleton />}
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

function HeaderActions({ secret }: { secret: SecretDetail }) {
  const [open, setOpen] = useState<'reveal' | 'delete' | 'value'>()
  const navigate = useNavigate()
  const denied = deniedReason(useRole(), 'secrets.update')
  const close = () => setOpen(undefined)
  return (
    <>
      <Button
        variant="primary"
        onClick={() => setOpen('value')}
        disabledReason={
          denied ??
          (secret.status === 'pending_deletion'
            ? 'The secret is being deleted. Restore it first.'
            : undefined)
        }
      >
        New value
      </Button>
      <SecretMenu
        secret={secret}
        isOnPage
        onReveal={() => setOpen('reveal')}
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
        {open === 'value' ? <NewValueDialog secret={secret} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

function Deletion({ secret }: { secret: SecretDetail }) {
  const restore = useRestoreSecret()
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
            onClick={() => restore.mutate(secret.id)}
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

function NoSuchSecret() {
  usePageTitle('Secret not found')
  return (
    <>
      <PageHeader title="Secret not found" />
      <EmptyState
        title="There is no such secret in this organization"
        description="It may have been deleted for good, or it belongs to another of your organizations: switch in the menu at the bottom of the sidebar."
        action={<ButtonLink href="/secrets">All secrets</ButtonLink>}
      />
    </>
  )
}

function PageSkeleton() {
  return (
    <DelayedSkeleton>
      <div className="grid gap-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
      </div>
    </DelayedSkeleton>
  )
}
