import { kubernetesPath } from '@bey/contract'
import type { KubernetesRequest } from '../../../data/kubernetes-proxy.ts'
import type { ActionTarget } from './action.ts'
import { targetPath } from './action.ts'
import type { ActionObject, PodTemplate } from './action-object.ts'
import { kubectlLine, kubectlObject } from './kubectl-line.ts'

/** An earlier or the current form of a workload's pods. */
export interface Revision {
  number: number
  isCurrent: boolean
  createdAt: string | undefined
  images: readonly string[]
  /** What its maker said about it; undefined for most. */
  changeCause: string | undefined
  template: PodTemplate
  /** Pods that run it now; undefined where the cluster does not count them by revision. */
  pods: number | undefined
}

const revisionKey = 'deployment.kubernetes.io/revision'
const causeKey = 'kubernetes.io/change-cause'
const hashLabel = 'pod-template-hash'

/** The list in which the revisions of a workload are kept: replica sets of a deployment, controller revisions else. */
export function revisionsRequest(target: ActionTarget): KubernetesRequest {
  const plural = isDeployment(target) ? 'replicasets' : 'controllerrevisions'
  const labels = Object.entries(target.object.spec?.selector?.matchLabels ?? {})
  const selector = labels.map(([key, value]) => `${key}=${value}`).join(',')
  const path = kubernetesPath({ group: 'apps', version: 'v1', plural }, target.namespace)
  return { method: 'GET', path: selector ? `${path}?labelSelector=${encodeURIComponent(selector)}` : path }
}

/** The revisions in such a list that belong to the workload, the newest first. */
export function revisionsOf(target: ActionTarget, list: ActionObject): Revision[] {
  const owned = (list.items ?? []).filter((each) =>
    each.metadata?.ownerReferences?.some(({ uid }) => uid === target.object.metadata?.uid),
  )
  const found = owned.flatMap((each) => {
    const revision = isDeployment(target) ? ofReplicaSet(each) : ofControllerRevision(each)
    return revision === undefined ? [] : [revision]
  })
  const sorted = found.toSorted((a, b) => b.number - a.number)
  const current = currentNumber(target, owned) ?? sorted[0]?.number
  return sorted.map((each) => ({ ...each, isCurrent: each.number === current }))
}

function currentNumber(
  { object, resource }: ActionTarget,
  owned: readonly ActionObject[],
): number | undefined {
  if (resource.resource === 'deployments.apps') return Number(object.metadata?.annotations?.[revisionKey])
  const name = object.status?.updateRevision
  return owned.find((each) => name !== undefined && each.metadata?.name === name)?.revision
}

function ofReplicaSet({ metadata, spec, status }: ActionObject): Revision | undefined {
  const number = Number(metadata?.annotations?.[revisionKey])
  const template = spec?.template
  if (!template || !Number.isFinite(number)) return undefined
  return { ...described(metadata, withoutHash(template)), number, pods: status?.replicas ?? 0 }
}

function ofControllerRevision({ metadata, data, revision }: ActionObject): Revision | undefined {
  const template = data?.spec?.template
  if (!template || revision === undefined) return undefined
  return { ...described(metadata, template), number: revision, pods: undefined }
}

function described(metadata: ActionObject['metadata'], template: PodTemplate) {
  return {
    isCurrent: false,
    createdAt: metadata?.creationTimestamp,
    images: (template.spec?.containers ?? []).map(({ image = '' }) => image),
    changeCause: metadata?.annotations?.[causeKey],
    template,
  }
}

/** The template as the deployment has it: its controller adds the hash to each replica set. */
function withoutHash(template: PodTemplate): PodTemplate {
  const { [hashLabel]: _hash, ...labels } = template.metadata?.labels ?? {}
  return { ...template, metadata: { ...template.metadata, labels } }
}

/**
 * Puts the template of a revision in place of the current one, whole. Fails with 422 when somebody has changed the
 * workload since it was read.
 */
export function rollbackRequest(target: ActionTarget, { template }: Revision): KubernetesRequest {
  const { generation } = target.object.metadata ?? {}
  // A controller revision carries this directive for the strategic merge of its own restore.
  const { $patch: _directive, ...plain } = template as PodTemplate & { $patch?: string }
  return {
    method: 'PATCH',
    path: targetPath(target),
    contentType: 'application/json-patch+json',
    body: [
      // The generation counts changes of the spec alone, so reports of status do not disturb.
      ...(generation === undefined ? [] : [{ op: 'test', path: '/metadata/generation', value: generation }]),
      { op: 'replace', path: '/spec/template', value: plain },
    ],
  }
}

export function rollbackLine(target: ActionTarget, { number }: Pick<Revision, 'number'>): string {
  const object = kubectlObject(target.resource.resource, target.name)
  return kubectlLine(target, 'rollout', 'undo', object, `--to-revision=${number}`)
}

/** The tag of an image, or the end of its digest: what people call a version. */
export function versionOf(image: string): string {
  const [name = '', digest] = image.split('@')
  if (digest) return digest.replace(/^sha256:/, '').slice(0, 12)
  const last = name.split('/').at(-1) ?? ''
  return last.includes(':') ? (last.split(':').at(-1) ?? '') : 'latest'
}

function isDeployment({ resource }: ActionTarget): boolean {
  return resource.resource === 'deployments.apps'
}
