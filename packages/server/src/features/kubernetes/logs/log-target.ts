import type { LogRequest } from '@bey/contract'
import { AppError } from '../../../platform/errors.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { PodEntry } from '../watch/entries.ts'
import { type KubeClient, KubeError } from '../watch/kube-client.ts'
import type { KubeObject } from '../watch/kube-types.ts'
import { labelMatcher } from '../watch/label-matcher.ts'

/** Which pods a stream is about. */
export type LogTarget = {
  /** Path of the list of pods, with its selectors. */
  podsPath: string
  /** Whether a pod that is watched may be one of that list: cheap, for every change of a pod of the cluster asks it. */
  mayBe(pod: PodEntry): boolean
  /** Whether a pod of that list belongs to it; only where selectors cannot say. */
  accepts(pod: KubeObject): Promise<boolean>
}

type Selector = {
  matchLabels?: Record<string, string>
  matchExpressions?: { key?: string; operator?: string; values?: string[] }[]
}
type Selecting = KubeObject & {
  spec?: { selector?: Selector | Record<string, string> }
}

/** Where each kind with pods is, and what its selector looks like. */
const kinds: Record<string, { path: string; selector: 'labels' | 'map' | 'none' }> = {
  pods: { path: 'api/v1', selector: 'none' },
  services: { path: 'api/v1', selector: 'map' },
  replicationcontrollers: { path: 'api/v1', selector: 'map' },
  'deployments.apps': { path: 'apis/apps/v1', selector: 'labels' },
  'statefulsets.apps': { path: 'apis/apps/v1', selector: 'labels' },
  'daemonsets.apps': { path: 'apis/apps/v1', selector: 'labels' },
  'replicasets.apps': { path: 'apis/apps/v1', selector: 'labels' },
  'jobs.batch': { path: 'apis/batch/v1', selector: 'labels' },
  'cronjobs.batch': { path: 'apis/batch/v1', selector: 'none' },
}

type Reading = { client: KubeClient; connection: ClusterConnection; signal: AbortSignal }

/**
 * Finds the pods of what was asked for. Throws AppError `not_found` where there is no such object, `invalid_request`
 * where its kind has no pods, `forbidden` where Bey's account in the cluster may not read it.
 */
export async function findTarget(
  request: Pick<LogRequest, 'namespace' | 'resource' | 'name' | 'selector'>,
  reading: Reading,
): Promise<LogTarget> {
  const { namespace, resource = '', name = '', selector } = request
  const base = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`
  const byLabels = (text: string): LogTarget => ({
    podsPath: `${base}?labelSelector=${encodeURIComponent(text)}`,
    mayBe: within(namespace, labelMatcher(text)),
    accepts: () => Promise.resolve(true),
  })
  if (selector !== undefined) {
    const target = byLabels(selector)
    await requireReadable(target.podsPath, namespace, reading)
    return target
  }
  const kind = kinds[resource]
  if (!kind) {
    const message = `Logs come from pods, and "${resource}" has none that Bey knows of. Send one of ${Object.keys(kinds).join(', ')}, or a selector.`
    throw new AppError('invalid_request', message, { errors: [{ path: 'resource', message }] })
  }
  if (resource === 'pods') {
    return {
      podsPath: `${base}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`,
      mayBe: within(namespace, (pod) => pod.name === name),
      accepts: () => Promise.resolve(true),
    }
  }
  const object = await readObject(request, kind.path, reading)
  if (resource === 'cronjobs.batch') return cronJobTarget(base, namespace, name, reading)
  const found = (object as Selecting).spec?.selector
  const text = found && (kind.selector === 'map' ? mapText(found) : selectorText(found))
  if (!text) throw new AppError('not_found', `${resource} "${name}" selects no pods, so it has no logs.`)
  return byLabels(text)
}

function within(namespace: string, isOne: (pod: PodEntry) => boolean): (pod: PodEntry) => boolean {
  return (pod) => pod.namespace === namespace && isOne(pod)
}

async function readObject(
  { namespace, resource = '', name = '' }: Pick<LogRequest, 'namespace' | 'resource' | 'name'>,
  path: string,
  { client, connection, signal }: Reading,
): Promise<unknown> {
  const plural = resource.split('.')[0] ?? ''
  const address = `/${path}/namespaces/${encodeURIComponent(namespace)}/${plural}/${encodeURIComponent(name)}`
  try {
    return await client.get(connection, address, signal)
  } catch (error) {
    if (error instanceof KubeError && error.status === 404)
      throw new AppError('not_found', `There is no ${resource} "${name}" in the namespace "${namespace}".`)
    if (error instanceof KubeError && error.status === 403)
      throw new AppError('forbidden', missingRight('get', plural, namespace))
    throw error
  }
}

/** Asks the cluster for one pod of a selector, so that a selector that it does not understand is refused at once. */
async function requireReadable(
  podsPath: string,
  namespace: string,
  { client, connection, signal }: Reading,
): Promise<void> {
  try {
    await client.get(connection, `${podsPath}&limit=1`, signal)
  } catch (error) {
    if (error instanceof KubeError && error.status === 400) {
      const message =
        'The cluster does not understand this label selector. Write it as in kubectl: app=web,tier!=db.'
      throw new AppError('invalid_request', `selector: ${message}`, {
        errors: [{ path: 'selector', message }],
      })
    }
    if (error instanceof KubeError && error.status === 403)
      throw new AppError('forbidden', missingRight('list', 'pods', namespace))
    throw error
  }
}

/** What Bey's account lacks in a cluster, and who can mend it. */
export function missingRight(verb: string, resource: string, namespace: string): string {
  return `The account that Bey uses in this cluster may not "${verb}" ${resource} in the namespace "${namespace}". Whoever administers the cluster can grant it with a Role and a RoleBinding.`
}

/** Pods name their job, and only the job names its cron job. */
function cronJobTarget(base: string, namespace: string, name: string, reading: Reading): LogTarget {
  const known = new Map<string, Promise<boolean>>()
  const isOurs = async (job: string): Promise<boolean> => {
    try {
      const object = (await readObject(
        { namespace, resource: 'jobs.batch', name: job },
        'apis/batch/v1',
        reading,
      )) as KubeObject
      return (object.metadata?.ownerReferences ?? []).some(
        (owner) => owner.kind === 'CronJob' && owner.name === name,
      )
    } catch {
      // Its job was deleted, and nothing says any more whose it was.
      known.delete(job)
      return false
    }
  }
  return {
    podsPath: `${base}?labelSelector=${encodeURIComponent('job-name')}`,
    mayBe: within(namespace, labelMatcher('job-name')),
    accepts(pod) {
      const job = pod.metadata?.ownerReferences?.find((owner) => owner.kind === 'Job')?.name
      if (!job) return Promise.resolve(false)
      const asked = known.get(job) ?? isOurs(job)
      known.set(job, asked)
      return asked
    },
  }
}

function mapText(labels: object): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',')
}

function selectorText(selector: Selector): string {
  const expressions = (selector.matchExpressions ?? []).map(({ key = '', operator, values = [] }) => {
    switch (operator) {
      case 'In':
        return `${key} in (${values.join(',')})`
      case 'NotIn':
        return `${key} notin (${values.join(',')})`
      case 'DoesNotExist':
        return `!${key}`
      default:
        return key
    }
  })
  return [mapText(selector.matchLabels ?? {}), ...expressions].filter(Boolean).join(',')
}
