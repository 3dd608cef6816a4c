import type { SecretDetail, SecretFacts, SecretUse } from '@bey/contract'
import { secretFields } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { useSecretUsage } from '../../data/secrets.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { secretHref, secretReference } from '../../entities/secrets/secret-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RevealForm } from '../../entities/secrets/reveal-form.tsx'
import { revealReason } from '../../entities/secrets/reveal-reason.ts'

/** Who could read it and what uses it, then the value's own card, then what is known of it. */
export function OverviewTab({ secret }: { secret: SecretDetail }) {
  const usage = useSecretUsage(secret.id)
  const failure = failureOf('Failed to fetch what uses this secret', usage)
  return (
    <div className="flex flex-col gap-8 px-(--gutter) py-6">
      <p className="min-h-6 text-lead font-semibold">
        {usage.data ? usage.data.summary : <Skeleton className="my-1 h-4 w-96 max-w-full" />}
      </p>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-8">
          {failure ? <ErrorState {...failure} /> : null}
          {usage.data ? <Uses uses={usage.data.uses} /> : null}
          <Section title="About this secret">
            <Facts layout="columns" facts={aboutFacts(secret)} />
          </Section>
          <ValueFacts facts={secret.facts} type={secret.type} />
        </div>
        <ValueCard secret={secret} />
      </div>
    </div>
  )
}

function ValueCard({ secret }: { secret: SecretDetail }) {
  const stale = useStaleReason()
  const denied = revealReason(secret, useRole())
  return (
    <Section title="Value" aside={`Version ${secret.currentVersion}`} isCard>
      <div className="flex flex-col gap-4">
        {denied && secret.access === 'use' ? (
          <p className="text-text-2">Your workflows may use this value; you may not see it.</p>
        ) : null}
        <RevealForm secret={secret} disabledReason={denied ?? stale} />
        <div className="border-t border-line pt-3">
          <p className="text-small text-text-2">In a workflow</p>
          <div className="flex items-center gap-1">
            <code className="min-w-0 truncate font-mono text-small">{secretReference(secret.name)}</code>
            <CopyButton text={secretReference(secret.name)} label="Copy reference" />
          </div>
        </div>
        {secret.duplicates.length > 0 ? (
          <p className="text-small text-text-2">
            The same value as {formatCount(secret.duplicates.length, 'other secret')}:{' '}
            {secret.duplicates.map(({ id, name }, index) => (
              <span key={id}>
                {index > 0 ? ', ' : null}
                <Link href={secretHref(id)}>{name}</Link>
              </span>
            ))}
            . One that leaks opens them all.
          </p>
        ) : null}
      </div>
    </Section>
  )
}

const onRotation: Record<SecretUse['onRotation'], string> = {
  follows: 'follows by itself',
  restarts: 'restarts',
  breaks: 'breaks until it is given the new value',
}

function Uses({ uses }: { uses: readonly SecretUse[] }) {
  return (
    <Section title="Used by" aside={uses.length > 0 ? 'If rotated' : undefined}>
      {uses.length === 0 ? (
        <p className="text-text-2">
          Nothing is known to use this secret. Runs, clusters and webhooks that resolve it are listed here.
        </p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {uses.map((use) => (
            <li key={`${use.type} ${use.id}`} className="flex items-baseline justify-between gap-4 py-2">
              <span className="min-w-0">
                <span className="font-medium">{use.name}</span>{' '}
                <span className="text-text-3">{use.detail}</span>
              </span>
              <span className={use.onRotation === 'breaks' ? 'text-warn' : 'text-text-2'}>
                {onRotation[use.onRotation]}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function aboutFacts(secret: SecretDetail): Fact[] {
  const labels = Object.entries(secret.labels)
  return [
    { label: 'Created', value: <RelativeTime at={secret.createdAt} /> },
    { label: 'Created by', value: secret.createdBy.name },
    { label: 'Value changed', value: <RelativeTime at={secret.valueChangedAt} /> },
    { label: 'Expires', value: <RelativeTime at={secret.expiresAt} /> },
    { label: 'Last read', value: <RelativeTime at={secret.lastReadAt} /> },
    { label: 'Last read by', value: secret.lastReadBy ?? '—' },
    { label: 'Last used', value: <RelativeTime at={secret.lastUsedAt} /> },
    {
      label: 'Labels',
      value:
        labels.length === 0 ? (
          '—'
        ) : (
          <span className="flex flex-wrap gap-1">
            {labels.map(([key, value]) => (
              <Badge key={key}>{value === '' ? key : `${key}=${value}`}</Badge>
            ))}
          </span>
        ),
    },
  ]
}

function ValueFacts({ facts, type }: { facts: SecretFacts; type: SecretDetail['type'] }) {
  const { certificate, contexts } = facts
  const labels = new Map(secretFields[type].map(({ name, label }) => [name, label]))
  const lines: Fact[] = Object.entries(facts.fields).map(([name, value]) => ({
    label: labels.get(name) ?? name,
    value,
  }))
  if (certificate) {
    lines.push(
      { label: 'Subject', value: certificate.subject },
      { label: 'Issuer', value: certificate.issuer },
      { label: 'Names', value: certificate.names.join(', ') || '—' },
      { label: 'Valid from', value: <RelativeTime at={certificate.notBefore} /> },
      { label: 'Valid until', value: <RelativeTime at={certificate.notAfter} /> },
      { label: 'Certificates in the chain', value: certificate.chainLength },
    )
  }
  if (contexts.length > 0) lines.push({ label: 'Contexts', value: contexts.join(', ') })
  if (lines.length === 0) return null
  return (
    <Section title="Read from the value">
      <Facts layout="columns" facts={lines} />
    </Section>
  )
}
