/** A program of a demo cluster, as one line of its plan. */
export type Program = {
  name: string
  image: string
  replicas?: number
  /** Millicores and mebibytes that each pod requests. */
  cpu?: number
  memory?: number
  annotations?: Readonly<Record<string, string>>
  /** A service of its own namespace that must answer before the program is ready. */
  needs?: { service: string; port: number }
  port?: number
  minReadySeconds?: number
  /** Its versions cannot run beside each other: all pods go before the new ones come. */
  isReplacedAtOnce?: true
  /** Why it was changed, as `kubectl rollout history` shows it. */
  changeCause?: string
  /** A volume of so many gibibytes: a StatefulSet, and so much of it is used. */
  volume?: { size: string; used: string }
}

type KubeObject = Record<string, unknown>

/** The config map of each namespace, which its programs read. */
export const settingsName = 'settings'

export const namespace = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { team: name } },
})

/** A Deployment, or a StatefulSet where it keeps data, with its Service. */
export function program(inNamespace: string, given: Program): KubeObject[] {
  return [workload(inNamespace, given), service(inNamespace, given)]
}

export function workload(inNamespace: string, given: Program): KubeObject {
  const { name, image, replicas = 1, cpu = 100, memory = 128, annotations, port = 8080, volume } = given
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': inNamespace }
  const container = {
    name,
    image,
    ports: [{ name: 'main', containerPort: port }],
    resources: { requests: { cpu: `${cpu}m`, memory: `${memory}Mi` }, limits: { memory: `${memory * 2}Mi` } },
    ...(given.needs && { readinessProbe: probeOf(given.needs) }),
    // A program without data is set up by what stands beside it.
    ...(!volume && { envFrom: [{ configMapRef: { name: settingsName } }] }),
    ...(volume && { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
  }
  const template = {
    metadata: { labels, ...(annotations && { annotations }) },
    spec: { containers: [container] },
  }
  const metadata = {
    name,
    namespace: inNamespace,
    labels,
    ...(given.changeCause && { annotations: { 'kubernetes.io/change-cause': given.changeCause } }),
  }
  const selector = { matchLabels: { 'app.kubernetes.io/name': name } }
  if (volume) {
    const claim = {
      metadata: { name: 'data', annotations: { 'sandbox.bey/used': volume.used } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: volume.size } } },
    }
    const spec = { serviceName: name, replicas, selector, template, volumeClaimTemplates: [claim] }
    return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec }
  }
  const spec = {
    replicas,
    revisionHistoryLimit: 10,
    ...(given.minReadySeconds !== undefined && { minReadySeconds: given.minReadySeconds }),
    strategy: given.isReplacedAtOnce
      ? { type: 'Recreate' }
      : { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    selector,
    template,
  }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec }
}

function service(inNamespace: string, { name, port = 8080 }: Program): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: inNamespace },
    spec: { selector: { 'app.kubernetes.io/name': name }, ports: [{ name: 'main', port, targetPort: port }] },
  }
}

/** Asked by the program itself, so that what it depends on takes it along and brings it back. */
function probeOf({ service: host, port }: NonNullable<Program['needs']>): KubeObject {
  return {
    exec: { command: ['nc', '-z', '-w', '2', host, String(port)] },
    periodSeconds: 5,
    failureThreshold: 2,
  }
}

export const cronJob = (inNamespace: string, name: string, schedule: string, image: string): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name, namespace: inNamespace },
  spec: {
    schedule,
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name, image, resources: { requests: { cpu: '50m', memory: '64Mi' } } }],
          },
        },
      },
    },
  },
})

export const ingress = (inNamespace: string, host: string, backend: string, port = 8080): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: backend, namespace: inNamespace },
  spec: {
    rules: [
      {
        host,
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: backend, port: { number: port } } },
            },
          ],
        },
      },
    ],
  },
})

export const configMap = (
  inNamespace: string,
  name: string,
  data: Readonly<Record<string, string>>,
): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: inNamespace }, data })

export const autoscaler = (inNamespace: string, name: string, min: number, max: number): KubeObject => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, namespace: inNamespace },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: min,
    maxReplicas: max,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
      },
    ],
  },
})

export const disruptionBudget = (inNamespace: string, name: string): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: inNamespace },
  spec: { maxUnavailable: 1, selector: { matchLabels: { 'app.kubernetes.io/name': name } } },
})
