const workloads: Readonly<Record<string, string>> = {
  'deployments.apps': 'Deployment',
  'statefulsets.apps': 'StatefulSet',
  'daemonsets.apps': 'DaemonSet',
  'cronjobs.batch': 'CronJob',
}
const others: Readonly<Record<string, string>> = {
  pods: 'pod',
  services: 'service',
  'ingresses.networking.k8s.io': 'ingress',
}

/** How an object is named as an end of flows, such as `workload:shop/Deployment/web`; undefined where it is none. */
export function networkEndOf(resource: string, namespace: string, name: string): string | undefined {
  const kind = workloads[resource]
  if (kind !== undefined) return `workload:${namespace}/${kind}/${name}`
  const other = others[resource]
  return other && `${other}:${namespace}/${name}`
}
