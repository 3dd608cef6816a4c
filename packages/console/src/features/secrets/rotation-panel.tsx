import type { SecretDetail } from '@bey/contract'
import { deniedReason, generatedTypes } from '@bey/contract'
import { Suspense, useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { RotationBar } from './rotation-bar.tsx'

const ScheduleDialog = lazyPart(async () => ({
  default: (await import('./schedule-dialog.tsx')).ScheduleDialog,
}))

/** When the value was and will be rotated, which versions are live meanwhile, and what failed. */
export function RotationPanel({ secret }: { secret: SecretDetail }) {
  const [isOpen, setOpen] = useState(false)
  const versions = useRead('secrets.versions', { params: { id: secret.id } })
  const denied = deniedReason(useRole(), 'secrets.update')
  const stale = useStaleReason()
  const { rotation, rotationFailure: failure, nextRotationAt } = secret
  const canGenerate = generatedTypes.includes(secret.type)
  const live = versions.data?.versions.filter(({ liveUntil }) => liveUntil !== null) ?? []
  return (
    <Section title="Rotation" aside={rotation ? (failure ? 'failed' : 'on time') : 'no schedule'}>
      <div className="flex flex-col gap-3">
        {failure ? (
          <Notice tone="danger" title="The scheduled rotation failed">
            {failure.cause} {failure.attempts === 1 ? 'Tried once' : `Tried ${failure.attempts} times`}; again{' '}
            <RelativeTime at={failure.retryAt} />.
          </Notice>
        ) : null}
        {rotation && nextRotationAt ? (
          <RotationBar next={nextRotationAt} everyDays={rotation.everyDays} />
        ) : null}
        <Facts facts={rotationFacts(secret, live)} />
        <div>
          <Button
            size="small"
            disabledReason={
              denied ??
              stale ??
              (secret.status === 'pending_deletion'
                ? 'The secret is being deleted. Restore it first.'
                : undefined)
            }
            onClick={() => setOpen(true)}
          >
            {rotation ? 'Change schedule' : 'Set a schedule'}
          </Button>
        </div>
        {canGenerate ? null : (
          <p className="text-small text-text-3">
            The server cannot make a value of this type. A workflow can rotate it on schedule.
          </p>
        )}
      </div>
      <Suspense fallback={null}>
        {isOpen ? <ScheduleDialog secret={secret} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </Section>
  )
}

function rotationFacts(
  { rotation, rotatedAt, nextRotationAt }: SecretDetail,
  live: readonly { version: number; liveUntil: string | null }[],
): Fact[] {
  return [
    { label: 'Last time', value: <RelativeTime at={rotatedAt} /> },
    ...(rotation
      ? [
          {
            label: 'By',
            value: `${rotation.workflowId ? 'a workflow' : 'the server'}, every ${rotation.everyDays === 1 ? 'day' : `${rotation.everyDays} days`}`,
          },
          { label: 'Next', value: <RelativeTime at={nextRotationAt} /> },
        ]
      : []),
    ...live.map(({ version, liveUntil }) => ({
      label: `Version ${version} is live too`,
      value: (
        <>
          ends <RelativeTime at={liveUntil} />
        </>
      ),
    })),
  ]
}
