import type { Cluster } from '../api/context.ts'
import type { JsonObject } from '../json.ts'
import { configMaps, daemonSets, deployments, serviceAccounts, services, type DaemonSet } from '../types.ts'

const namespace = 'kube-system'

/** What kube-system has on a real cluster: name, image, replicas and what each asks for. */
const addons = [
  {
    name: 'coredns',
    image: 'registry.k8s.io/coredns/coredns:v1.12.1',
    replicas: 2,
    cpu: '100m',
    memory: '70Mi',
    label: ['k8s-app', 'kube-dns'],
    priority: 'system-cluster-critical',
  },
  {
    name: 'metrics-server',
    image: 'registry.k8s.io/metrics-server/metrics-server:v0.8.0',
    replicas: 1,
    cpu: '100m',
    memory: '200Mi',
    label: ['k8s-app', 'metrics-server'],
    priority: 'system-cluster-critical',
  },
  {
    name: 'local-path-provisioner',
    image: 'docker.io/rancher/local-path-provisioner:v0.0.32',
    replicas: 1,
    cpu: '10m',
    memory: '32Mi',
    label: ['app', 'local-path-provisioner'],
    priority: 'system-cluster-critical',
  },
] as const

type Addon = (typeof addons)[number]

/** Installs the add-ons that are missing, and resolves when all of their pods are ready. */
export async function installAddons(cluster: Cluster): Promise<void> {
  if (!cluster.store.get(configMaps, namespace, 'coredns')) {
    const corefile =
      '.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . /etc/resolv.conf\n    cache 30\n}\n'
    cluster.resources.make(configMaps, namespace, {
      metadata: { name: 'coredns' },
      data: { Corefile: corefile },
    })
  }
  for (const addon of addons) install(cluster, addon)
  installProxy(cluster)
  makeService(
    cluster,
    'kube-dns',
    '10.96.0.10',
    ['k8s-app', 'kube-dns'],
    [
      { name: 'dns', port: 53, protocol: 'UDP' },
      { name: 'dns-tcp', port: 53, protocol: 'TCP' },
    ],
    // What `kubectl cluster-info` lists, and by which name.
    { 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
  )
  makeService(
    cluster,
    'metrics-server',
    undefined,
    ['k8s-app', 'metrics-server'],
    [{ name: 'https', port: 443, targetPort: 10250, protocol: 'TCP' }],
  )
  cluster.store.flush()
  await untilReady(cluster)
}

function install(
  { store, resources }: Cluster,
  { name, image, replicas, cpu, memory, label, priority }: Addon,
): void {
  if (!store.get(serviceAccounts, namespace, name))
    resources.make(serviceAccounts, namespace, { metadata: { name } })
  if (store.get(deployments, namespace, name)) return
  const labels: JsonObject = { [label[0]]: label[1] }
  resources.make(deployments, namespace, {
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          priorityClassName: priority,
          tolerations: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
          ...(name === 'coredns' && { volumes: [{ name: 'config', configMap: { name } }] }),
          containers: [
            {
              name,
              image,
              resources: { requests: { cpu, memory } },
              ...(name === 'coredns' && { volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }] }),
            },
          ],
        },
      },
    },
  })
}

/** kube-proxy runs on every node, whatever its taints. */
function installProxy({ store, resources, version }: Cluster): void {
  const name = 'kube-proxy'
  if (!store.get(serviceAccounts, namespace, name))
    resources.make(serviceAccounts, namespace, { metadata: { name } })
  if (store.get(daemonSets, namespace, name)) return
  const labels = { 'k8s-app': name }
  const [tag] = version.split('-')
  resources.make(daemonSets, namespace, {
    metadata: { name, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          priorityClassName: 'system-node-critical',
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [{ operator: 'Exists' }],
          containers: [
            { name, image: `registry.k8s.io/kube-proxy:${tag}`, command: ['/usr/local/bin/kube-proxy'] },
          ],
        },
      },
    },
  })
}

function makeService(
  { store, resources }: Cluster,
  name: string,
  clusterIP: string | undefined,
  label: readonly [string, string],
  ports: JsonObject[],
  more: Record<string, string> = {},
): void {
  if (store.get(services, namespace, name)) return
  resources.make(services, namespace, {
    metadata: { name, labels: { [label[0]]: label[1], ...more } },
    spec: { selector: { [label[0]]: label[1] }, ports, ...(clusterIP ? { clusterIP } : {}) },
  })
}

/** Waits until the workloads themselves say that they are ready, which is what anybody asking will see. */
function untilReady({ store }: Cluster): Promise<void> {
  const isDone = () =>
    addons.every(
      ({ name, replicas }) =>
        (store.get(deployments, namespace, name)?.status?.readyReplicas ?? 0) >= replicas,
    ) && isProxyReady(store.get(daemonSets, namespace, 'kube-proxy')?.status)
  if (isDone()) return Promise.resolve()
  return new Promise((done) => {
    const hear = () => {
      if (!isDone()) return
      for (const stop of stops) stop()
      done()
    }
    const stops = [store.subscribe(deployments.key, hear), store.subscribe(daemonSets.key, hear)]
  })
}

function isProxyReady(status: DaemonSet['status']): boolean {
  return (
    status !== undefined &&
    status.desiredNumberScheduled > 0 &&
    status.numberReady >= status.desiredNumberScheduled
  )
}
