import { CommandError, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import type { Session } from '../session.ts'

const resources: Readonly<Record<string, string>> = {
  pod: 'pods',
  po: 'pods',
  pods: 'pods',
  deploy: 'deployments.apps',
  deployment: 'deployments.apps',
  deployments: 'deployments.apps',
  statefulset: 'statefulsets.apps',
  sts: 'statefulsets.apps',
  daemonset: 'daemonsets.apps',
  ds: 'daemonsets.apps',
  job: 'jobs.batch',
  jobs: 'jobs.batch',
  cronjob: 'cronjobs.batch',
  cronjobs: 'cronjobs.batch',
  svc: 'services',
  service: 'services',
  ing: 'ingresses.networking.k8s.io',
  ingress: 'ingresses.networking.k8s.io',
  pvc: 'persistentvolumeclaims',
  node: 'nodes',
}

/** An object as it is typed: `deploy/api`, or the name of a pod alone. Throws UsageError. */
export function objectOf(text: string | undefined, example: string): { resource: string; name: string } {
  const [kind = '', name = ''] = text?.includes('/') ? text.split('/') : ['pods', text]
  if (!name) throw new UsageError(`Name an object: ${example}`)
  return { resource: resources[kind.toLowerCase()] ?? kind, name }
}

/** The cluster of `--cluster` by name or id; without it the only one that runs. Throws UsageError where that is not clear. */
export async function clusterOf({ client, signal }: Session, given: unknown): Promise<number> {
  if (typeof given === 'string') return Number(await idOf(client, 'clusters', given, signal))
  const { clusters } = await client.call(
    'clusters.list',
    { query: { status: 'RUNNING', limit: 20 } },
    { signal },
  )
  const [only, ...others] = clusters
  if (only === undefined) throw new CommandError('No cluster is running. See bey clusters list.')
  if (others.length === 0) return only.id
  const names = clusters.map(({ name }) => name).join(', ')
  throw new UsageError(`Several clusters are running: ${names}. Name one with --cluster.`)
}
