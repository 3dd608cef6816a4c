import type { CallOutput } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Identifier } from '../../ui/code-block.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { RootKeyGuide } from './root-key-guide.tsx'
import { VerifySecrets } from './verify-secrets.tsx'

type Keys = CallOutput<'secrets.keys'>

/** Which keys seal the organization's secrets, how the root key is changed, and whether everything opens. */
export function SecretKeysPage() {
  const denied = deniedReason(useRole(), 'secrets.keys')
  const query = useRead(
    'secrets.keys',
    {},
    { isEnabled: denied === undefined, refreshMs: (keys) => (keys?.verifying ? 1_000 : undefined) },
  )
  const failure = failureOf('Failed to fetch keys', query)
  const keys = query.data
  return (
    <>
      <PageHeader title="Encryption keys" description={keys ? sentence(keys) : ' '} />
      {denied ? (
        <div className="px-(--gutter) py-6">
          <Notice tone="info" title="Only owners see the keys">
            {denied}
          </Notice>
        </div>
      ) : null}
      {failure ? <ErrorState {...failure} /> : null}
      {keys ? (
        <>
          <SettingsSection
            title="Keys"
            hint="A fingerprint names a key and opens nothing. Values are sealed with AES-256-GCM under the data key."
          >
            <div className="max-w-2xl">
              <Facts facts={keyFacts(keys)} />
            </div>
          </SettingsSection>
          <SettingsSection
            title="Verification"
            hint="Opens every value and computes the audit chain before and after. No value leaves the server."
          >
            <VerifySecrets keys={keys} />
          </SettingsSection>
          <SettingsSection
            title="Changing the root key"
            hint="The data keys are wrapped anew; values are not touched, so it takes as long with many as with few."
          >
            <RootKeyGuide keys={keys} />
          </SettingsSection>
        </>
      ) : denied || failure ? null : (
        <DelayedSkeleton>
          <div className="px-(--gutter) py-6">
            <Skeleton className="h-40" />
          </div>
        </DelayedSkeleton>
      )}
    </>
  )
}

function sentence({ dataKeyWrappedBy, versions }: Keys): string {
  if (dataKeyWrappedBy === null) return 'This organization has no secret yet, and so no key of its own.'
  const sealed = `${versions} ${versions === 1 ? 'value is' : 'values are'} sealed with the key of this organization`
  if (dataKeyWrappedBy === 'present') return `${sealed}, which the present root key wraps.`
  if (dataKeyWrappedBy === 'previous') return `${sealed}, which the root key before still wraps.`
  return `${sealed}, which a root key wraps that this server does not have.`
}

const wrappers: Record<NonNullable<Keys['dataKeyWrappedBy']>, string> = {
  present: 'the present root key',
  previous: 'the root key before; the next start wraps it anew',
  unknown: 'a root key that this server does not have',
}

function keyFacts(keys: Keys): Fact[] {
  return [
    { label: 'Root key', value: <Identifier value={keys.rootKeyFingerprint} label="Copy fingerprint" /> },
    {
      label: 'Root key before, still accepted',
      value: keys.previousFingerprint ? (
        <Identifier value={keys.previousFingerprint} label="Copy fingerprint" />
      ) : (
        'none'
      ),
    },
    { label: 'Data key of this organization, made', value: <RelativeTime at={keys.dataKeyCreatedAt} /> },
    { label: 'Data key wrapped by', value: keys.dataKeyWrappedBy ? wrappers[keys.dataKeyWrappedBy] : '—' },
    { label: 'Values sealed with it', value: keys.versions },
  ]
}
