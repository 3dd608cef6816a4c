import type { SecretDetail } from '@bey/contract'
import { Share2 } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { RevealForm } from '../../entities/secrets/reveal-form.tsx'
import { revealReason } from '../../entities/secrets/reveal-reason.ts'
import { secretHref, secretReference } from '../../entities/secrets/secret-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { RecentVersions } from './recent-versions.tsx'
import { RotationPanel } from './rotation-panel.tsx'
import { SecretLinks } from './secret-links.tsx'
import { SecretReads, useSecretReads } from './secret-reads.tsx'
import { SecretUses } from './secret-uses.tsx'
import { ValueFacts } from './value-facts.tsx'
import { actorText } from '@bey/contract'

/** Who could read it and what uses it; beside that the value, its versions and what is known of it. */
export function OverviewTab({ secret }: { secret: SecretDetail }) {
  const usage = useRead('secrets.usage', { params: { id: secret.id } })
  const versions = useRead('secrets.versions', { params: { id: secret.id } })
  const reads = useSecretReads(secret)
  const shares = useRead('secretShares.list', { query: { secretId: secret.id } })
  const failure = failureOf('Failed to fetch what uses this secret', usage)
  // Shown together: on a phone all of it is one column, in which what comes later would push the rest down.
  if (usage.isPending || versions.isPending || reads.isLoading || shares.isLoading)
    return <OverviewSkeleton />
  return (
    <div className="grid min-h-full flex-1 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      <div className="flex gap-3 px-(--gutter) py-5">
        <Share2 size={16} aria-hidden className="mt-1 shrink-0 text-text-2" />
        <div className="min-w-0 flex-1">
          <p className="min-h-6 text-lead font-medium break-words">{usage.data?.summary}</p>
          <Link href={secretHref(secret.id, 'access')} className="text-small underline underline-offset-4">
            Who could, and why
          </Link>
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-6 border-line px-(--gutter) py-5 max-lg:border-y lg:row-span-2 lg:border-l">
        <ValueCard secret={secret} />
        <ValueFacts facts={secret.facts} type={secret.type} />
        <RotationPanel secret={secret} />
        <RecentVersions secret={secret} />
      </div>
      <div className="flex min-w-0 flex-col gap-8 px-(--gutter) pt-3 pb-5 max-lg:pt-5">
        {failure ? <ErrorState {...failure} /> : null}
        {usage.data ? <SecretUses secret={secret} uses={usage.data.uses} /> : null}
        <SecretReads secret={secret} />
        <SecretLinks secret={secret} />
        <Section title="About this secret">
          <Facts layout="columns" facts={aboutFacts(secret)} />
        </Section>
      </div>
    </div>
  )
}

function OverviewSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="grid gap-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
      </span>
    </DelayedSkeleton>
  )
}

function ValueCard({ secret }: { secret: SecretDetail }) {
  const stale = useStaleReason()
  const denied = revealReason(secret, useRole())
  return (
    <Section title={`Value of version ${secret.currentVersion}`}>
      <div className="flex flex-col gap-4">
        {denied && secret.access === 'use' ? (
          <p className="text-text-2">Your workflows may use this value; you may not see it.</p>
        ) : null}
        <RevealForm secret={secret} disabledReason={denied ?? stale} isBesideFacts />
        <div>
          <p className="text-small text-text-2">In a workflow</p>
          <div className="flex items-center gap-1">
            <code className="min-w-0 truncate font-mono text-small" title={secretReference(secret.name)}>
              {secretReference(secret.name)}
            </code>
            <CopyButton text={secretReference(secret.name)} label="Copy reference" />
          </div>
        </div>
        {secret.duplicates.length > 0 ? (
          <p className="text-small text-text-2">
            The same value as {formatCount(secret.duplicates.length, 'other secret')}:{' '}
            {secret.duplicates.map(({ id, name }, index) => (
              <span key={id}>
                {index > 0 ? ', ' : null}
                <Link href={secretHref(id)} className="underline underline-offset-4">
                  {name}
                </Link>
              </span>
            ))}
            . Whoever reads one of them knows them all.
          </p>
        ) : null}
      </div>
    </Section>
  )
}

function aboutFacts(secret: SecretDetail): Fact[] {
  return [
    { label: 'Created', value: <RelativeTime at={secret.createdAt} /> },
    { label: 'Created by', value: actorText(secret.createdBy) },
    { label: 'Last read', value: <RelativeTime at={secret.lastReadAt} /> },
    { label: 'Last read by', value: secret.lastReadBy ?? '—' },
    { label: 'Last used', value: <RelativeTime at={secret.lastUsedAt} /> },
  ]
}
