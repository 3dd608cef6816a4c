import type { PersonCall } from './clusters.ts'
import { messageOf } from './cluster-object.ts'

type Waiting = { reason?: string; message?: string }
type Ended = { exitCode?: number; reason?: string; message?: string }
type State = { waiting?: Waiting; terminated?: Ended }
type Pod = {
  metadata?: { name?: string; annotations?: Record<string, string> }
  status?: {
    phase?: string
    conditions?: { type?: string; status?: string; reason?: string; message?: string }[]
    containerStatuses?: { state?: State }[]
    initContainerStatuses?: { state?: State }[]
  }
}

const imageReasons = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']

/** The pods of a Cluster. Answers none where the cluster does not let them be read. */
export async function readPods(call: PersonCall, namespace: string, name: string): Promise<Pod[]> {
  const selector = encodeURIComponent(`cnpg.io/cluster=${name}`)
  const answer = await call(
    'GET',
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?labelSelector=${selector}`,
  )
  return answer.status === 200 ? ((answer.body as { items?: Pod[] }).items ?? []) : []
}

/** Why a pod of a Cluster does not start, as a sentence; undefined where none is in trouble. */
export function podTrouble(pods: readonly Pod[]): string | undefined {
  for (const { metadata, status = {} } of pods) {
    const name = metadata?.name ?? ''
    const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]
    const waiting = containers.map(({ state }) => state?.waiting).find((each) => each?.reason !== undefined)
    const said = waiting?.message?.trim().replace(/\.$/, '')
    if (imageReasons.includes(waiting?.reason ?? '')) {
      return `The image of the pod "${name}" cannot be pulled${said ? `: ${said}` : ''}. Check the version and the registry.`
    }
    if (waiting?.reason === 'CrashLoopBackOff') {
      return `The pod "${name}" ends again and again after its start. Its log says why.`
    }
    const unplaced = status.conditions?.find(
      (each) => each.type === 'PodScheduled' && each.status === 'False',
    )
    if (unplaced?.reason === 'Unschedulable') {
      return `No node takes the pod "${name}": ${(unplaced.message ?? 'no reason is given').trim().replace(/\.$/, '')}.`
    }
  }
  return undefined
}

/** Which pod of a Cluster that is restored ended with an error, as a sentence; undefined where none did. */
export function failedPod(pods: readonly Pod[]): string | undefined {
  const failed = pods.find(({ status }) => status?.phase === 'Failed')
  if (failed === undefined) return undefined
  const { initContainerStatuses = [], containerStatuses = [] } = failed.status ?? {}
  const ended = [...initContainerStatuses, ...containerStatuses]
    .map(({ state }) => state?.terminated)
    .find((each) => each !== undefined && each.exitCode !== 0)
  const said = ended?.message?.trim().replace(/\.$/, '')
  return `The restore in the pod "${failed.metadata?.name ?? ''}" ended with an error${said ? `: ${said}` : ''}. Its log says why.`
}

/** Whether every pod of a Cluster was started again since somebody asked for it, by the mark that they asked with. */
export const areRestarted = (pods: readonly Pod[], mark: string) =>
  pods.length > 0 &&
  pods.every(({ metadata }) => metadata?.annotations?.['kubectl.kubernetes.io/restartedAt'] === mark)

type Class = { metadata?: { annotations?: Record<string, string> } }

/** Why the volumes of a Cluster cannot be made, as a sentence; undefined where nothing is known against it. */
export async function storageTrouble(
  call: PersonCall,
  storageClass: string | null,
): Promise<string | undefined> {
  const base = '/apis/storage.k8s.io/v1/storageclasses'
  if (storageClass !== null) {
    const { status } = await call('GET', `${base}/${encodeURIComponent(storageClass)}`)
    return status === 404
      ? `The cluster has no storage class "${storageClass}". Choose another one.`
      : undefined
  }
  const answer = await call('GET', base)
  // Who may not list them may still use the default one.
  if (answer.status !== 200) return undefined
  const { items = [] } = answer.body as { items?: Class[] }
  const isDefault = ({ metadata }: Class) =>
    metadata?.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true'
  if (items.some(isDefault)) return undefined
  return items.length === 0
    ? 'The cluster has no storage class, so that no volume can be made there. Whoever administers it can install one.'
    : 'The cluster has no default storage class. Choose one.'
}

/** Why nobody can make a Cluster in a namespace, as a sentence; undefined where it exists. */
export async function namespaceTrouble(call: PersonCall, namespace: string): Promise<string | undefined> {
  const answer = await call('GET', `/api/v1/namespaces/${encodeURIComponent(namespace)}`)
  if (answer.status === 404) return `The cluster has no namespace "${namespace}". Create it first.`
  if (answer.status === 401) return `The cluster refuses the request: ${messageOf(answer)}.`
  return undefined
}
