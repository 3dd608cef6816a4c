import type { JsonObject } from '../json.ts'

/** A state of affairs to show or to test against. Everything in it is data; play.ts brings it about. */
export type Scenario = {
  /** What it shows, in one sentence. */
  about: string
  /** Machines are added until there are so many. */
  nodes?: { count: number; cpu: string; memory: string }
  objects: readonly JsonObject[]
  /** Annotation-free trouble with machines: how many of the workers, from the last on. */
  stoppedWorkers?: number
  /** Workers, from the first on, that report pressure on their disks. */
  fullDisks?: number
  /** A TLS secret whose certificate ends so soon. */
  certificate?: { namespace: string; name: string; host: string; daysLeft: number }
}

type App = {
  name: string
  replicas: number
  image: string
  cpu?: string
  memory?: string
  behavior?: string
  load?: string
}

function app(
  namespace: string,
  { name, replicas, image, cpu = '50m', memory = '64Mi', behavior, load }: App,
): JsonObject {
  const labels = { app: name }
  const annotations: JsonObject = {
    ...(behavior ? { 'sandbox.bey/behavior': behavior } : {}),
    ...(load ? { 'sandbox.bey/cpu': load } : {}),
  }
  const containers = [{ name, image, resources: { requests: { cpu, memory }, limits: { memory } } }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: { containers } },
    },
  }
}

function service(namespace: string, name: string, port: number): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ port }] },
  }
}

function namespace(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

const shop = [
  namespace('shop'),
  app('shop', { name: 'storefront', replicas: 3, image: 'nginx:1.29' }),
  service('shop', 'storefront', 80),
  app('shop', { name: 'catalog', replicas: 2, image: 'ghcr.io/shop/catalog:2.4.1' }),
  service('shop', 'catalog', 8080),
  app('shop', { name: 'cart', replicas: 2, image: 'redis:8.2' }),
  service('shop', 'cart', 6379),
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'catalog', namespace: 'shop' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'catalog' },
      minReplicas: 2,
      maxReplicas: 6,
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'storefront', namespace: 'shop' },
    spec: { minAvailable: 2, selector: { matchLabels: { app: 'storefront' } } },
  },
]

const pool = { count: 6, cpu: '4', memory: '16Gi' }

export const scenarios: Readonly<Record<string, Scenario>> = {
  healthy: { about: 'A small shop in which everything works.', nodes: pool, objects: shop },
  incident: {
    about: 'The same shop on a bad day.',
    // Enough machines that two sick ones leave room for the rest.
    nodes: pool,
    objects: [
      ...shop,
      app('shop', { name: 'payments', replicas: 2, image: 'ghcr.io/shop/payments:1.9.0', behavior: 'crash' }),
      app('shop', { name: 'search', replicas: 1, image: 'ghcr.io/shop/search:3.0.0-typo' }),
      app('shop', {
        name: 'recommender',
        replicas: 1,
        image: 'ghcr.io/shop/recommender:0.3.2',
        behavior: 'oom',
      }),
      app('shop', { name: 'warehouse', replicas: 1, image: 'ghcr.io/shop/warehouse:5.1.0', memory: '900Gi' }),
    ],
    stoppedWorkers: 1,
    fullDisks: 1,
    certificate: { namespace: 'shop', name: 'storefront-tls', host: 'shop.example.com', daysLeft: 3 },
  },
  scale: {
    about: 'A thousand machines and ten thousand pods.',
    nodes: { count: 1000, cpu: '8', memory: '32Gi' },
    objects: [
      namespace('load'),
      ...Array.from({ length: 20 }, (_one, i) =>
        app('load', { name: `app-${i + 1}`, replicas: 500, image: 'nginx:1.29' }),
      ),
    ],
  },
}
