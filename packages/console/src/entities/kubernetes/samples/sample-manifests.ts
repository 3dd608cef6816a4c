import type { Sample } from './sample-list.ts'

/** Marks what a sample made, and its namespace, which goes with everything in it. */
const sampleLabel = 'app.kubernetes.io/part-of'

/** The manifest of each sample. */
export const sampleManifests: Readonly<Record<Sample['id'], string>> = {
  shop: [
    namespace('sample-shop'),
    `apiVersion: v1
kind: Secret
metadata:
  name: database
  namespace: sample-shop
  labels: ${labels('shop')}
stringData:
  POSTGRES_PASSWORD: only-a-sample
`,
    statefulSet(),
    service('database', 5432),
    deployment({ name: 'cache', image: 'redis:8', port: 6379, replicas: 1, cpu: '20m' }),
    service('cache', 6379),
    deployment({ name: 'api', image: 'registry.k8s.io/hpa-example', port: 80, replicas: 2, cpu: '100m' }),
    service('api', 80),
    deployment({ name: 'storefront', image: 'nginx:1.29', port: 80, replicas: 2, cpu: '20m' }),
    service('storefront', 80),
    `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: storefront
  namespace: sample-shop
  labels: ${labels('shop')}
spec:
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /api
            pathType: Prefix
            backend: { service: { name: api, port: { number: 80 } } }
          - path: /
            pathType: Prefix
            backend: { service: { name: storefront, port: { number: 80 } } }
`,
    `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: api
  namespace: sample-shop
  labels: ${labels('shop')}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: api }
  minReplicas: 2
  maxReplicas: 5
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: 60 }
`,
    `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: storefront
  namespace: sample-shop
  labels: ${labels('shop')}
spec:
  minAvailable: 1
  selector: { matchLabels: { app.kubernetes.io/name: storefront } }
`,
    `apiVersion: apps/v1
kind: Deployment
metadata:
  name: visitors
  namespace: sample-shop
  labels: ${labels('shop')}
spec:
  replicas: 1
  selector: { matchLabels: { app.kubernetes.io/name: visitors } }
  template:
    metadata: { labels: { app.kubernetes.io/name: visitors } }
    spec:
      containers:
        - name: visitors
          image: busybox:1.37
          command: ["sh", "-c", "while true; do wget -q -O /dev/null http://api; sleep 0.1; done"]
          resources: { requests: { cpu: 20m, memory: 16Mi } }
`,
  ].join('---\n'),
  crashing: [
    namespace('sample-crashing'),
    workload('payments', 'sample-crashing', 'busybox:1.37', [
      `command: ["sh", "-c", "echo connecting to database:5432; sleep 2; echo 'panic: DATABASE_URL is not set' >&2; exit 1"]`,
    ]),
    workload('invoices', 'sample-crashing', 'busybox:1.37', [
      'command: ["sleep", "86400"]',
      'envFrom: [{ configMapRef: { name: invoice-settings } }]',
    ]),
    workload('mailer', 'sample-crashing', 'registry.example.com/does-not-exist:1.0', []),
  ].join('---\n'),
  batch: [
    namespace('sample-batch'),
    `apiVersion: batch/v1
kind: Job
metadata:
  name: import-orders
  namespace: sample-batch
  labels: ${labels('batch')}
spec:
  completions: 6
  parallelism: 2
  backoffLimit: 3
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: import
          image: busybox:1.37
          command: ["sh", "-c", "for n in 1 2 3; do echo order $n imported; sleep 1; done"]
          resources: { requests: { cpu: 20m, memory: 16Mi } }
`,
    `apiVersion: batch/v1
kind: CronJob
metadata:
  name: clean-up
  namespace: sample-batch
  labels: ${labels('batch')}
spec:
  schedule: "* * * * *"
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 1
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: clean-up
              image: busybox:1.37
              command: ["sh", "-c", "echo 12 old orders removed"]
              resources: { requests: { cpu: 10m, memory: 8Mi } }
`,
  ].join('---\n'),
}

function labels(id: string): string {
  return `{ ${sampleLabel}: sample-${id} }`
}

function namespace(name: string): string {
  return `apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  labels: { ${sampleLabel}: ${name} }
`
}

function deployment(of: {
  name: string
  image: string
  port: number
  replicas: number
  cpu: string
}): string {
  const { name, image, port, replicas, cpu } = of
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: sample-shop
  labels: ${labels('shop')}
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app.kubernetes.io/name: ${name} } }
  template:
    metadata: { labels: { app.kubernetes.io/name: ${name} } }
    spec:
      containers:
        - name: ${name}
          image: ${image}
          ports: [{ containerPort: ${port} }]
          readinessProbe: { tcpSocket: { port: ${port} } }
          resources: { requests: { cpu: ${cpu}, memory: 64Mi }, limits: { memory: 128Mi } }
`
}

function statefulSet(): string {
  return `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: database
  namespace: sample-shop
  labels: ${labels('shop')}
spec:
  serviceName: database
  replicas: 1
  selector: { matchLabels: { app.kubernetes.io/name: database } }
  template:
    metadata: { labels: { app.kubernetes.io/name: database } }
    spec:
      containers:
        - name: database
          image: postgres:18
          ports: [{ containerPort: 5432 }]
          envFrom: [{ secretRef: { name: database } }]
          env: [{ name: PGDATA, value: /var/lib/postgresql/data/pgdata }]
          resources: { requests: { cpu: 50m, memory: 128Mi }, limits: { memory: 256Mi } }
          volumeMounts: [{ name: data, mountPath: /var/lib/postgresql/data }]
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
`
}

function service(name: string, port: number): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: sample-shop
  labels: ${labels('shop')}
spec:
  selector: { app.kubernetes.io/name: ${name} }
  ports: [{ port: ${port} }]
`
}

function workload(name: string, within: string, image: string, lines: readonly string[]): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: ${within}
  labels: { ${sampleLabel}: ${within} }
spec:
  replicas: 1
  selector: { matchLabels: { app.kubernetes.io/name: ${name} } }
  template:
    metadata: { labels: { app.kubernetes.io/name: ${name} } }
    spec:
      containers:
        - name: ${name}
          image: ${image}
${lines.map((line) => `          ${line}\n`).join('')}          resources: { requests: { cpu: 20m, memory: 16Mi } }
`
}
