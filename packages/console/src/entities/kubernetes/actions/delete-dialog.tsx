import type { ObjectDetail } from '@bey/contract'
import { noNamespace, resourceName } from '@bey/contract'
import { useState } from 'react'
import { useObject, useObjects, usePods, useWorkloads } from '../../../data/kubernetes.ts'
import { useClusterAct } from '../../../data/kubernetes-proxy.ts'
import { formatCount } from '../../../lib/format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import type { ActionDialogProps } from './action-dialog.tsx'
import { asActionObject } from './action-object.ts'
import type { Propagation } from './any-object-actions.ts'
import { useNetworkImpact } from '../../networks/network-membership.tsx'
import { deleteLine } from './any-object-actions.ts'
import { KubectlPreview } from './kubectl-preview.tsx'
import type { ActionAddress } from './run-action.ts'
import { deleteObject, readTarget } from './run-action.ts'
import { useTarget } from './use-target.ts'

/** Deleting one of these takes along what others keep in it. */
const typedResources = new Set([
  'namespaces',
  'customresourcedefinitions.apiextensions.k8s.io',
  'persistentvolumes',
])

const propagations: readonly { value: Propagation; label: string }[] = [
  { value: 'Background', label: 'Deleted afterwards (background)' },
  { value: 'Foreground', label: 'Deleted first (foreground)' },
  { value: 'Orphan', label: 'Kept, without an owner (orphan)' },
]

/** Lists what goes with an object, asks what happens to what it owns, and deletes it. */
export function DeleteDialog({ address, onClose, onDone }: Omit<ActionDialogProps, 'action'>) {
  const { target, failure } = useTarget(address)
  const impact = useImpact(address)
  const [propagation, setPropagation] = useState<Propagation>('Background')
  // Read once more: what is deleted is what is there now, even where the page has not heard of it.
  const act = useClusterAct(async (choice: Propagation) =>
    deleteObject(target ?? (await readTarget(address)), choice),
  )
  const line = target ? deleteLine(target, propagation) : ''
  const isOrphaning = propagation === 'Orphan'
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Are you sure you want to delete this ${target?.resource.kind ?? 'object'}?`}
      name={address.namespace === '' ? address.name : `${address.namespace} / ${address.name}`}
      typedName={address.name}
      impact={isOrphaning ? impact.filter(({ isOwned }) => !isOwned).map(textOf) : impact.map(textOf)}
      action={`Delete ${target?.resource.kind ?? ''}`.trim()}
      mustTypeName={typedResources.has(address.resource)}
      busy={act.isPending}
      error={act.error?.message ?? failure}
      onConfirm={() =>
        act.mutate(propagation, {
          onSuccess: (ended) =>
            onDone({
              text: ended === 'gone' ? 'It is already deleted' : 'Deleted',
              kubectl: line,
              next: undefined,
            }),
        })
      }
    >
      <Field label="What it owns">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={propagation}
            options={propagations}
            onChange={(event) =>
              setPropagation(
                propagations.find(({ value }) => value === event.target.value)?.value ?? 'Background',
              )
            }
          />
        )}
      </Field>
      {line ? <KubectlPreview line={line} /> : null}
    </ConfirmDialog>
  )
}

interface Impact {
  text: string
  isOwned: boolean
}

const textOf = ({ text }: Impact) => text
const maxNamed = 3

/** What goes with it, counted where it can be counted. */
function useImpact({ clusterId: id, resource, namespace, name }: ActionAddress): Impact[] {
  const isNamespace = resource === 'namespaces'
  const detail = useObject({ id, resource, namespace: namespace || noNamespace, name }).data
  const { spec } = asActionObject(detail?.object)
  const custom =
    resource === 'customresourcedefinitions.apiextensions.k8s.io' && spec?.names?.plural
      ? resourceName(spec.names.plural, spec.group ?? '')
      : ''
  const pods = usePods(id, { namespace: name, limit: 1 }, isNamespace).data
  const workloads = useWorkloads(id, { namespace: name, limit: 1 }, isNamespace).data
  const services = useObjects(id, 'services', { namespace: name, limit: 1 }, isNamespace).data
  const ofNetworks = useNetworkImpact({ clusterId: id, namespace: name }, isNamespace)
  const objects = useObjects(id, custom, { limit: 1 }, custom !== '').data
  const lines: Impact[] = []
  const say = (text: string) => lines.push({ text, isOwned: false })
  if (isNamespace) {
    say('Everything in the namespace')
    if (workloads) say(formatCount(workloads.total, 'workload'))
    if (pods) say(formatCount(pods.total, 'pod'))
    if (services) say(formatCount(services.total, 'service'))
    ofNetworks.forEach(say)
  }
  if (custom) {
    const kind = spec?.names?.kind ?? 'object'
    say(
      objects ? `${formatCount(objects.total, `${kind} object`)} in all namespaces` : `Every ${kind} object`,
    )
  }
  if (spec?.claimRef) say(`The data of the claim ${spec.claimRef.namespace}/${spec.claimRef.name}`)
  return [...lines, ...ownedLines(detail)]
}

/** One line a kind: its only object by name, or how many there are and the first names. */
function ownedLines(detail: ObjectDetail | undefined): Impact[] {
  if (!detail) return []
  const kinds = [...new Set(detail.owned.map(({ kind }) => kind))]
  const lines = kinds.map((kind) => {
    const names = detail.owned.filter((each) => each.kind === kind).map(({ name }) => name)
    const more = names.length > maxNamed ? ' …' : ''
    return names.length === 1
      ? `${kind} ${names[0]}`
      : `${names.length} ${kind} objects: ${names.slice(0, maxNamed).join(', ')}${more}`
  })
  const rest = detail.ownedTotal - detail.owned.length
  return [...lines, ...(rest > 0 ? [formatCount(rest, 'further object')] : [])].map((text) => ({
    text,
    isOwned: true,
  }))
}
