/** A manifest to begin with. */
export interface ManifestTemplate {
  id: string
  label: string
  description: string
  text: string
}

const probes = `          readinessProbe:
            httpGet:
              path: /
              port: http
          resources:
            requests:
              cpu: 50m
              memory: 64Mi
            limits:
              memory: 128Mi`

/** Complete and small: each can be applied as it is and then changed. */
export const manifestTemplates: readonly ManifestTemplate[] = [
  {
    id: 'deployment',
    label: 'Deployment with service',
    description: 'Runs identical pods behind one address in the cluster.',
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app.kubernetes.io/name: web
  template:
    metadata:
      labels:
        app.kubernetes.io/name: web
    spec:
      containers:
        - name: web
          image: nginx:1.29
          ports:
            - name: http
              containerPort: 80
${probes}
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app.kubernetes.io/name: web
  ports:
    - name: http
      port: 80
      targetPort: http
`,
  },
  {
    id: 'ingress',
    label: 'Ingress',
    description: 'Routes a host name to a service.',
    text: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
spec:
  rules:
    - host: web.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: web
                port:
                  name: http
`,
  },
  {
    id: 'cronjob',
    label: 'Cron job',
    description: 'Runs a job by a schedule.',
    text: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: report
spec:
  schedule: "0 6 * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: report
              image: busybox:1.37
              command: ["sh", "-c", "echo the report is written"]
`,
  },
  {
    id: 'job',
    label: 'Job',
    description: 'Runs pods until their work is done.',
    text: `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
spec:
  backoffLimit: 2
  ttlSecondsAfterFinished: 3600
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: migrate
          image: busybox:1.37
          command: ["sh", "-c", "echo done"]
`,
  },
  {
    id: 'statefulset',
    label: 'Stateful set with storage',
    description: 'Pods with names and volumes of their own, such as a database.',
    text: `apiVersion: v1
kind: Service
metadata:
  name: db
spec:
  clusterIP: None
  selector:
    app.kubernetes.io/name: db
  ports:
    - name: redis
      port: 6379
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  serviceName: db
  replicas: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: db
  template:
    metadata:
      labels:
        app.kubernetes.io/name: db
    spec:
      containers:
        - name: db
          image: redis:8
          ports:
            - name: redis
              containerPort: 6379
          volumeMounts:
            - name: data
              mountPath: /data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: ["ReadWriteOnce"]
        resources:
          requests:
            storage: 1Gi
`,
  },
  {
    id: 'configmap',
    label: 'Config map',
    description: 'Settings that pods read as files or environment variables.',
    text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  LOG_LEVEL: info
  settings.yaml: |
    cache:
      size: 100
`,
  },
  {
    id: 'secret',
    label: 'Secret',
    description: 'Passwords and keys for pods. A draft that holds one is not kept in the browser.',
    text: `apiVersion: v1
kind: Secret
metadata:
  name: credentials
type: Opaque
stringData:
  password: ""
`,
  },
  {
    id: 'claim',
    label: 'Persistent volume claim',
    description: 'Storage that outlives pods.',
    text: `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes: ["ReadWriteOnce"]
  resources:
    requests:
      storage: 1Gi
`,
  },
  {
    id: 'networkpolicy',
    label: 'Network policy',
    description: 'Lets only pods of the same namespace in.',
    text: `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: same-namespace-only
spec:
  podSelector: {}
  policyTypes: ["Ingress"]
  ingress:
    - from:
        - podSelector: {}
`,
  },
  {
    id: 'autoscaler',
    label: 'Horizontal pod autoscaler',
    description: 'Adds and removes pods of a deployment by their CPU use.',
    text: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 2
  maxReplicas: 6
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 70
`,
  },
  {
    id: 'rolebinding',
    label: 'Service account with a role',
    description: 'Lets a program in the cluster read pods in its namespace.',
    text: `apiVersion: v1
kind: ServiceAccount
metadata:
  name: reader
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: pod-reader
rules:
  - apiGroups: [""]
    resources: ["pods"]
    verbs: ["get", "list", "watch"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: pod-reader
subjects:
  - kind: ServiceAccount
    name: reader
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: pod-reader
`,
  },
  {
    id: 'namespace',
    label: 'Namespace with a quota',
    description: 'A namespace with limits for what runs in it.',
    text: `apiVersion: v1
kind: Namespace
metadata:
  name: team-a
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: bounds
  namespace: team-a
spec:
  hard:
    pods: "50"
    requests.cpu: "8"
    requests.memory: 16Gi
`,
  },
]
