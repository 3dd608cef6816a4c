import type { KubernetesRequest } from '../../../data/kubernetes-proxy.ts'
import type { ActionTarget, DialogAction } from './action.ts'
import { access, mergePatch, targetPath } from './action.ts'
import { kubectlLine, kubectlObject } from './kubectl-line.ts'

export const editLabels: DialogAction = {
  id: 'labels',
  form: 'dialog',
  label: 'Edit labels',
  pending: 'Saving labels',
  done: 'Labels and annotations saved',
  isFor: () => true,
  permission: 'kubernetes.write',
  access: access('patch'),
}

export const rollback: DialogAction = {
  id: 'rollback',
  form: 'dialog',
  label: 'Roll back',
  pending: 'Rolling back',
  done: 'Rollback begun',
  isFor: (resource) => ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps'].includes(resource),
  isPrimary: true,
  permission: 'kubernetes.write',
  access: access('patch'),
  refusal: ({ object }) =>
    object.spec?.paused ? 'Its rollout is paused, so nothing would change. Resume it first.' : undefined,
}

export const remove: DialogAction = {
  id: 'delete',
  form: 'dialog',
  label: 'Delete',
  pending: 'Deleting',
  done: 'Deleted',
  isFor: () => true,
  isDanger: true,
  permission: 'kubernetes.delete',
  access: access('delete'),
  isBulk: true,
  refusal: ({ object, resource }) =>
    object.metadata?.deletionTimestamp
      ? 'It is already being deleted. Its finalizers say what it waits for.'
      : resource.verbs.length > 0 && !resource.verbs.includes('delete')
        ? 'The cluster does not let objects of this kind be deleted.'
        : undefined,
}

/** What happens to the objects that a deleted one owns. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan'

/** Deletes this very object, and not another one that has taken its name since. */
export function deleteRequest(target: ActionTarget, propagation: Propagation): KubernetesRequest {
  const uid = target.object.metadata?.uid
  return {
    method: 'DELETE',
    path: targetPath(target),
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: propagation,
      ...(uid && { preconditions: { uid } }),
    },
  }
}

export function deleteLine(target: ActionTarget, propagation: Propagation): string {
  const object = kubectlObject(target.resource.resource, target.name)
  const cascade = propagation === 'Background' ? [] : [`--cascade=${propagation.toLowerCase()}`]
  return kubectlLine(target, 'delete', object, ...cascade)
}

/** Changes of labels or annotations by key; null removes one. */
export type KeyChanges = Readonly<Record<string, string | null>>

/** Changes only the keys that were edited: others that somebody adds meanwhile stay. */
export function labelsRequest(
  target: ActionTarget,
  labels: KeyChanges,
  annotations: KeyChanges,
): KubernetesRequest {
  return mergePatch(target, {
    metadata: {
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
  })
}

/** One line for labels and one for annotations, where either changes. */
export function labelLines(target: ActionTarget, labels: KeyChanges, annotations: KeyChanges): string {
  const object = kubectlObject(target.resource.resource, target.name)
  const line = (verb: string, changes: KeyChanges) => {
    const args = Object.entries(changes).map(([key, value]) =>
      value === null ? `${key}-` : `${key}=${value}`,
    )
    return args.length === 0 ? [] : [kubectlLine(target, verb, object, ...args, '--overwrite')]
  }
  return [...line('label', labels), ...line('annotate', annotations)].join('\n')
}
