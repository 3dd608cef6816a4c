import type { ObjectVersion } from '@bey/contract'
import { deniedReason, roleHas } from '@bey/contract'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { sendToCluster, useClusterAct } from '../../../data/kubernetes-proxy.ts'
import { useRole } from '../../../data/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
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

/** The cluster refuses what changed meanwhile, for the version that was read goes along. */
async function revertTo(
  clusterId: number,
  resource: string,
  before: Record<string, unknown>,
  isDeleted: boolean,
): Promise<void> {
  const live = isDeleted
    ? undefined
    : await sendToCluster(clusterId, { method: 'GET', path: revertRequest(before, resource).path })
  await sendToCluster(clusterId, revertRequest(before, resource, live))
}
