import type { JsonObject } from '../json.ts'

/** Something that can be broken and mended again. */
export type Fault = {
  id: string
  title: string
  /** What happens, and what a person sees of it. */
  about: string
  /** Objects that come with it, in the namespace `chaos`. */
  objects?: readonly JsonObject[]
  /** What happens to a machine: the last worker is switched off, or the first one reports a full disk. */
  machine?: 'stopped' | 'full-disk'
  /** How long each request waits before it is answered. */
  apiDelayMs?: number
  /** A TLS secret whose certificate ends so soon. */
  certificateDays?: number
}

export const faultNamespace = 'chaos'
export const faultLabel = 'sandbox.bey/fault'

type App = { replicas?: number; image: string; memory?: string; behavior?: string }

function app(
  fault: string,
  name: string,
  { replicas = 1, image, memory = '64Mi', behavior }: App,
): JsonObject {
  const labels = { app: name, [faultLabel]: fault }
  const annotations: JsonObject = behavior === undefined ? {} : { 'sandbox.bey/behavior': behavior }
  const containers = [{ name, image, resources: { requests: { cpu: '50m', memory }, limits: { memory } } }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: faultNamespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels, annotations }, spec: { containers } },
    },
  }
}

/** A site whose ingress shows a TLS secret of the namespace for its host. */
function site(fault: string, name: string, host: string, secretName: string): JsonObject[] {
  const metadata = { name, namespace: faultNamespace, labels: { app: name, [faultLabel]: fault } }
  const backend = { service: { name, port: { number: 80 } } }
  return [
    app(fault, name, { image: 'ghcr.io/shop/storefront:4.2.0' }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata,
      spec: {
        tls: [{ hosts: [host], secretName }],
        rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      },
    },
  ]
}

/** A database with a volume of 10 GiB, most of which it has filled. */
function fullVolume(fault: string, name: string): JsonObject[] {
  const labels = { app: name, [faultLabel]: fault }
  const claim: JsonObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: faultNamespace, labels, annotations: { 'sandbox.bey/used': '9.3Gi' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
  }
  const containers = [
    {
      name,
      image: 'postgres:17',
      resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
      volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }],
    },
  ]
  const used = [{ name: 'data', persistentVolumeClaim: { claimName: name } }]
  const deployment: JsonObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: faultNamespace, labels },
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels }, spec: { containers, volumes: used } },
    },
  }
  return [claim, deployment]
}

export const faults: readonly Fault[] = [
  {
    id: 'crash-loop',
    title: 'Crash loop',
    about:
      'The deployment payments ends with an error again and again, until its pods wait in CrashLoopBackOff.',
    objects: [
      app('crash-loop', 'payments', { replicas: 2, image: 'ghcr.io/shop/payments:1.9.0', behavior: 'crash' }),
    ],
  },
  {
    id: 'bad-image',
    title: 'Bad image',
    about: 'The deployment search names an image that its registry does not have: ImagePullBackOff.',
    objects: [
      app('bad-image', 'search', { image: 'ghcr.io/shop/search:3.0.0-typo', behavior: 'pull-error' }),
    ],
  },
  {
    id: 'out-of-memory',
    title: 'Out of memory',
    about: 'The deployment recommender takes more memory than its limit and is killed: OOMKilled.',
    objects: [
      app('out-of-memory', 'recommender', { image: 'ghcr.io/shop/recommender:0.3.2', behavior: 'oom' }),
    ],
  },
  {
    id: 'unschedulable',
    title: 'Pod that fits nowhere',
    about: 'The deployment warehouse asks for 900 GiB of memory, so its pod stays Pending.',
    objects: [app('unschedulable', 'warehouse', { image: 'ghcr.io/shop/warehouse:5.1.0', memory: '900Gi' })],
  },
  {
    id: 'never-ready',
    title: 'Never ready',
    about: 'The deployment catalog runs, but its readiness probe fails, so no traffic reaches it.',
    objects: [
      app('never-ready', 'catalog', {
        replicas: 2,
        image: 'ghcr.io/shop/catalog:2.4.1',
        behavior: 'never-ready',
      }),
    ],
  },
  {
    id: 'full-volume',
    title: 'Volume nearly full',
    about: 'The database ledger has filled more than nine tenths of its volume of 10 GiB.',
    objects: fullVolume('full-volume', 'ledger'),
  },
  {
    id: 'expiring-certificate',
    title: 'Certificate about to expire',
    about:
      'The ingress storefront shows the certificate of the TLS secret storefront-tls, which is valid for three more days.',
    certificateDays: 3.5,
    objects: site('expiring-certificate', 'storefront', 'shop.example.com', 'storefront-tls'),
  },
  {
    id: 'node-down',
    title: 'Node down',
    about:
      'The last worker node is switched off: NotReady after 40 seconds, and its pods start elsewhere later.',
    machine: 'stopped',
  },
  {
    id: 'full-disk',
    title: 'Full disk',
    about: 'The first worker node reports DiskPressure and takes no further pods.',
    machine: 'full-disk',
  },
  {
    id: 'slow-api',
    title: 'Slow API',
    about:
      'The Kubernetes API waits two seconds before it answers a request. Lists stay quick, because Bey watches them.',
    apiDelayMs: 2_000,
  },
]
