import type { Cluster } from '../../../platform/clusters/open-cluster.ts'
import { refusalOf } from '../../../platform/clusters/open-cluster.ts'

const kinds = ['deployments', 'statefulsets', 'daemonsets'] as const
/** Marks a pod template with the copy and version that it was restarted for, so that it happens once. */
const restartedFor = 'bey.dev/restarted-for'

type Source = { name?: string; secretName?: string }
type Container = {
  env?: { valueFrom?: { secretKeyRef?: Source } }[]
  envFrom?: { secretRef?: Source }[]
}
type PodSpec = {
  containers?: Container[]
  initContainers?: Container[]
  volumes?: { secret?: Source; projected?: { sources?: { secret?: Source }[] } }[]
}
type Condition = { type?: string; status?: string; reason?: string; message?: string }
type Workload = {
  metadata: { name: string; generation?: number }
  spec?: {
    replicas?: number
    template?: { metadata?: { annotations?: Record<string, string> }; spec?: PodSpec }
  }
  status?: Partial<Record<WorkloadFigure, number>> & { conditions?: Condition[] }
}
type WorkloadFigure =
  | 'observedGeneration'
  | 'updatedReplicas'
  | 'readyReplicas'
  | 'availableReplicas'
  | 'replicas'
  | 'desiredNumberScheduled'
  | 'updatedNumberScheduled'
  | 'numberAvailable'

/** A workload whose pods mount a Secret or read it into their environment. */
export type SecretUser = {
  kind: (typeof kinds)[number]
  path: string
  workload: Workload
  /** An environment keeps its values until the pod is made anew; a volume gets the new ones by itself. */
  place: 'environment' | 'volume'
}

/** The workloads of a namespace that use a Secret. */
export async function usersOf(
  cluster: Cluster,
  { namespace, name }: { namespace: string; name: string },
): Promise<SecretUser[]> {
  const users: SecretUser[] = []
  for (const kind of kinds) {
    const path = `/apis/apps/v1/namespaces/${namespace}/${kind}`
    const answer = await cluster({ method: 'GET', path })
    if (answer.status !== 200) throw refusalOf(answer, `list ${kind}`)
    // Read from the Kubernetes API, whose shapes are its contract.
    const { items = [] } = answer.body as { items?: Workload[] }
    for (const workload of items) {
      const place = placeOf(workload.spec?.template?.spec ?? {}, name)
      if (place) users.push({ kind, path: `${path}/${workload.metadata.name}`, workload, place })
    }
  }
  return users
}

/**
 * Restarts the workloads that use a Secret, as `kubectl rollout restart` does, and answers how many. Done again for the
 * same mark it restarts nothing.
 */
export async function restartUsers(
  cluster: Cluster,
  { namespace, name, mark, at }: { namespace: string; name: string; mark: string; at: Date },
): Promise<number> {
  let restarted = 0
  for (const { kind, path, workload } of await usersOf(cluster, { namespace, name })) {
    if (workload.spec?.template?.metadata?.annotations?.[restartedFor] === mark) continue
    const annotations = { 'kubectl.kubernetes.io/restartedAt': at.toISOString(), [restartedFor]: mark }
    const patched = await cluster({
      method: 'PATCH',
      path: `${path}?fieldManager=bey`,
      contentType: 'application/merge-patch+json',
      body: { spec: { template: { metadata: { annotations } } } },
    })
    // Deleted meanwhile, it needs no restart.
    if (patched.status === 404) continue
    if (patched.status !== 200) throw refusalOf(patched, `restart ${kind}/${workload.metadata.name}`)
    restarted += 1
  }
  return restarted
}

/** With what a workload is marked when it is restarted for a version of a copy. */
export const restartMark = (syncId: string, version: number) => `${syncId}-${version}`

function placeOf(
  { containers = [], initContainers = [], volumes = [] }: PodSpec,
  name: string,
): SecretUser['place'] | undefined {
  const isInEnvironment = [...containers, ...initContainers].some(
    ({ env, envFrom }) =>
      env?.some(({ valueFrom }) => valueFrom?.secretKeyRef?.name === name) ||
      envFrom?.some(({ secretRef }) => secretRef?.name === name),
  )
  if (isInEnvironment) return 'environment'
  const isInVolume = volumes.some(
    ({ secret, projected }) =>
      secret?.secretName === name || projected?.sources?.some((source) => source.secret?.name === name),
  )
  return isInVolume ? 'volume' : undefined
}
