import type { ObjectVersion } from '@bey/contract'
import { deniedReason, roleHas } from '@bey/contract'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { sendToCluster, useClusterAct } from '../../../data/kubernetes-proxy.ts'
import { useRole } from '../../../data/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { KubernetesError } from '../../../lib/kubernetes-error.ts'
import { revertRequest } from './revert-request.ts'

export interface RevertButtonProps {
  clusterId: number
  object: { kind: string; resource: string; namespace: string; name: string }
  version: ObjectVersion
  before: Record<string, unknown> | null
  /** A newer version exists. */
  changedSince: boolean
}

/** Brings an object back to what it was before its newest change; off, with the reason, where that cannot be. */
export function RevertButton({ clusterId, object, version, before, changedSince }: RevertButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const role = useRole()
  const isDeleted = version.change === 'deleted'
  const revert = useClusterAct(async () => {
    if (before) await revertTo(clusterId, object.resource, before, isDeleted)
  })
  const reason = !roleHas(role, 'kubernetes.write')
    ? deniedReason(role, 'kubernetes.write')
    : changedSince
      ? 'It changed again since: revert its newest change first.'
      : before === null
        ? 'What it was before is not known.'
        : undefined
  const verb = isDeleted ? 'Create it again' : 'Revert this change'
  return (
    <>
      <Button
        size="small"
        icon={<Undo2 size={14} aria-hidden />}
        disabledReason={reason}
        onClick={() => setAsking(true)}
      >
        {verb}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={isDeleted ? 'Create this object again?' : 'Revert this change?'}
        name={`${object.kind} ${object.name}`}
        impactTitle="This happens:"
        impact={[
          isDeleted
            ? 'It is created as it was when it was deleted.'
            : 'It becomes what it was before this change.',
        ]}
        action={verb}
        isDestructive={false}
        busy={revert.isPending}
        error={revert.error?.message}
        onConfirm={() =>
          revert.mutate(undefined, {
            onSuccess: () => {
              setAsking(false)
              toast('success', isDeleted ? `${object.name} was created again` : `${object.name} was reverted`)
            },
          })
        }
      />
    </>
  )
}

const maxAttempts = 4

/**
 * The cluster refuses what changed meanwhile, for the version that was read goes along. Where its status alone changed,
 * as it does all the time while pods start, the request is repeated. Throws KubernetesError.
 */
async function revertTo(
  clusterId: number,
  resource: string,
  before: Record<string, unknown>,
  isDeleted: boolean,
): Promise<void> {
  if (isDeleted) {
    await sendToCluster(clusterId, revertRequest(before, resource))
    return
  }
  // The address of the object itself: without it as it is now, the request is one that creates.
  const { path } = revertRequest(before, resource, {})
  const read = () => sendToCluster(clusterId, { method: 'GET', path })
  let live = await read()
  const seen = writtenOf(live)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sendToCluster(clusterId, revertRequest(before, resource, live))
      return
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.failure.code !== 409 || attempt === maxAttempts)
        throw error
      live = await read()
      if (writtenOf(live) !== seen) throw error
    }
  }
}

/** Changes when anything but the status of an object is written; of kinds without a generation, with every write. */
function writtenOf(object: unknown): string {
  const { metadata = {} } = object as { metadata?: Record<string, unknown> }
  return JSON.stringify([metadata['generation'] ?? metadata['resourceVersion'], metadata['labels']])
}
