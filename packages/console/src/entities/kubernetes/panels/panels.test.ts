import { expect, test } from 'vitest'
import { cronText } from './cron-text.ts'
import { dataEntries, decodedText } from './data-entries.ts'
import { networkPolicySentences } from './network-policy-text.ts'
import type { PanelPart, PanelValue } from './panel-parts.ts'
import { panelParts } from './panel-registry.ts'
import { ruleWords } from './rbac-panels.ts'
import { selectorText } from './selector-text.ts'

const namespaced = { namespace: 'shop', name: 'x' }

function fact(parts: readonly PanelPart[], label: string): PanelValue | undefined {
  for (const part of parts) {
    if (part.type !== 'facts') continue
    const found = part.facts.find((each) => each.label === label)
    if (found) return found.value
  }
  return undefined
}

function rows(parts: readonly PanelPart[], title: string) {
  const part = parts.find((each) => each.title === title)
  return part?.type === 'table' ? part.rows : undefined
}

test('a pod names its node, its address and what its volumes hold', () => {
  const parts = panelParts('pods', {
    metadata: namespaced,
    spec: {
      nodeName: 'node-1',
      serviceAccountName: 'default',
      containers: [{ name: 'app', volumeMounts: [{ name: 'settings', mountPath: '/etc/app' }] }],
      volumes: [
        { name: 'settings', configMap: { name: 'app-settings' } },
        { name: 'disk', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'scratch', emptyDir: {} },
      ],
    },
    status: { podIP: '10.0.0.7', qosClass: 'Burstable' },
  })
  expect(fact(parts, 'Node')).toEqual({ ref: { resource: 'nodes', namespace: '', name: 'node-1' } })
  expect(fact(parts, 'Address')).toEqual({ code: '10.0.0.7' })
  expect(rows(parts, 'Volumes')).toEqual([
    [
      'settings',
      { ref: { resource: 'configmaps', namespace: 'shop', name: 'app-settings' } },
      ['app: /etc/app'],
    ],
    ['disk', { ref: { resource: 'persistentvolumeclaims', namespace: 'shop', name: 'data' } }, null],
    ['scratch', 'empty directory, gone with the pod', null],
  ])
})

test('a deployment says its replicas, its strategy in words, and its selector', () => {
  const parts = panelParts('deployments.apps', {
    metadata: { ...namespaced, annotations: { 'deployment.kubernetes.io/revision': '12' } },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { spec: { containers: [{ name: 'app', image: 'web:2' }] } },
    },
    status: { readyReplicas: 3 },
  })
  expect(fact(parts, 'Desired replicas')).toBe(4)
  expect(fact(parts, 'Ready')).toBe(3)
  expect(fact(parts, 'Revision')).toBe('12')
  expect(fact(parts, 'Strategy')).toBe('rolling: at most 1 more, 0 fewer')
  expect(fact(parts, 'Selector')).toEqual({ code: 'app=web' })
})

test('stateful sets and daemon sets say how they change their pods', () => {
  const set = panelParts('statefulsets.apps', {
    spec: { updateStrategy: { rollingUpdate: { partition: 2 } }, serviceName: 'db' },
  })
  expect(fact(set, 'Strategy')).toBe('rolling: pods from number 2 on')
  const daemon = panelParts('daemonsets.apps', {
    spec: { updateStrategy: { type: 'OnDelete' } },
    status: { desiredNumberScheduled: 3, numberReady: 2 },
  })
  expect(fact(daemon, 'Strategy')).toBe('a pod changes when it is deleted')
  expect(fact(daemon, 'Desired nodes')).toBe(3)
})

test('a job counts its completions, a cron job names its active jobs', () => {
  const job = panelParts('jobs.batch', {
    spec: { completions: 5, backoffLimit: 0 },
    status: { succeeded: 2 },
  })
  expect(fact(job, 'Completed')).toBe('2 of 5')
  expect(fact(job, 'Tries again')).toBe('never')
  const cron = panelParts('cronjobs.batch', {
    metadata: namespaced,
    spec: { schedule: '*/5 * * * *', concurrencyPolicy: 'Forbid' },
    status: { active: [{ name: 'x-1' }] },
  })
  expect(fact(cron, 'Active')).toEqual([{ ref: { resource: 'jobs.batch', namespace: 'shop', name: 'x-1' } }])
  expect(fact(cron, 'When one still runs')).toBe('the next one is skipped while one runs')
})

test('a schedule is shown in words, with its next times in UTC or in its own zone', () => {
  const from = new Date('2026-03-01T12:00:00Z')
  expect(cronText('30 2 * * *', null, from, 2)).toEqual({
    words: 'At 02:30',
    next: [new Date('2026-03-02T02:30:00Z'), new Date('2026-03-03T02:30:00Z')],
  })
  expect(cronText('30 2 * * *', 'America/New_York', from, 1)).toMatchObject({
    next: [new Date('2026-03-02T07:30:00Z')],
  })
  expect(cronText('every now and then', null, from)).toHaveProperty('problem')
})

test('a node shows its taints in words and its addresses', () => {
  const parts = panelParts('nodes', {
    spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }], unschedulable: true },
    status: {
      capacity: { cpu: '4', memory: '16Gi', 'hugepages-2Mi': '0' },
      allocatable: { cpu: '3900m' },
      addresses: [{ type: 'InternalIP', address: '10.1.0.4' }],
    },
  })
  expect(rows(parts, 'Taints')).toEqual([[{ code: 'gpu=yes:NoSchedule' }, 'no new pods', null]])
  expect(rows(parts, 'Resources')).toEqual([
    ['CPU', '4 cores', '3.9 cores'],
    ['Memory', '16 GiB', null],
  ])
  expect(fact(parts, 'Internal address')).toEqual({ code: '10.1.0.4' })
  expect(fact(parts, 'New pods')).toBe('not accepted: cordoned')
})

test('a service shows ports and selector, an ingress which path goes to which service', () => {
  const service = panelParts('services', {
    spec: {
      type: 'NodePort',
      clusterIP: '10.2.0.1',
      selector: { app: 'web' },
      ports: [{ port: 80, targetPort: 'http', nodePort: 30080 }],
    },
  })
  expect(rows(service, 'Ports')).toEqual([[null, '80/TCP', 'http', '30080']])
  expect(fact(service, 'Selects pods')).toEqual({ code: 'app=web' })
  const ingress = panelParts('ingresses.networking.k8s.io', {
    metadata: namespaced,
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['shop.example.com'], secretName: 'shop-tls' }],
      rules: [
        {
          host: 'shop.example.com',
          http: {
            paths: [
              {
                path: '/api',
                pathType: 'Prefix',
                backend: { service: { name: 'api', port: { number: 80 } } },
              },
            ],
          },
        },
      ],
    },
  })
  expect(rows(ingress, 'Routes')).toEqual([
    [
      'shop.example.com',
      { code: '/api…' },
      { ref: { resource: 'services', namespace: 'shop', name: 'api' }, text: 'api:80' },
    ],
  ])
  expect(rows(ingress, 'Certificates')?.[0]?.[1]).toEqual({
    ref: { resource: 'secrets', namespace: 'shop', name: 'shop-tls' },
  })
})

test('network policies are sentences, also where they allow nothing', () => {
  expect(
    networkPolicySentences({
      spec: {
        podSelector: { matchLabels: { app: 'db' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [
              { podSelector: { matchLabels: { app: 'api' } } },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            ],
            ports: [{ port: 5432 }],
          },
        ],
      },
    }),
  ).toEqual([
    'Pods with app=db accept connections from pods with app=api of this namespace, or 10.0.0.0/8 except 10.1.0.0/16 on port 5432/TCP.',
    'Pods with app=db may connect to nothing.',
  ])
  expect(networkPolicySentences({ spec: { podSelector: {}, ingress: [{}] } })).toEqual([
    'All pods of the namespace accept connections from everywhere.',
  ])
})

test('a config map lists texts and bytes by name, a secret its keys alone', () => {
  expect(dataEntries({ data: { b: 'é' }, binaryData: { a: 'AAEC' } })).toEqual([
    { key: 'a', value: null, sizeBytes: 3 },
    { key: 'b', value: 'é', sizeBytes: 2 },
  ])
  const parts = panelParts('secrets', {
    type: 'kubernetes.io/tls',
    data: { 'tls.key': null, 'tls.crt': null },
  })
  expect(parts[0]).toMatchObject({ type: 'secret', keys: ['tls.crt', 'tls.key'] })
  expect(fact(parts, 'Holds')).toBe('a certificate with its key')
})

test('a value in Base64 is text only where it is UTF-8', () => {
  expect(decodedText('w6k=')).toBe('é')
  expect(decodedText('/////w==')).toBeNull()
  expect(decodedText('%%')).toBeNull()
})

test('claims and volumes say size, access and to what they are bound', () => {
  const claim = panelParts('persistentvolumeclaims', {
    metadata: namespaced,
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      volumeName: 'pv-1',
      storageClassName: 'fast',
    },
    status: { phase: 'Bound', capacity: { storage: '2Gi' } },
  })
  expect(fact(claim, 'Size')).toBe('2Gi')
  expect(fact(claim, 'Requested')).toBe('1Gi')
  expect(fact(claim, 'Access')).toEqual(['read and write by one node'])
  expect(fact(claim, 'Volume')).toEqual({
    ref: { resource: 'persistentvolumes', namespace: '', name: 'pv-1' },
  })
  const volume = panelParts('persistentvolumes', {
    spec: {
      hostPath: { path: '/data' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }],
        },
      },
    },
    status: { phase: 'Released' },
  })
  expect(fact(volume, 'Phase')).toEqual({ status: 'degraded', label: 'released' })
  expect(fact(volume, 'Kept by')).toBe('hostPath')
  expect(volume).toContainEqual({
    type: 'sentences',
    title: 'Node affinity',
    lines: ['Only on nodes where zone is a or b.'],
  })
})

test('an autoscaler shows what it measures beside what it wants', () => {
  const metric = (field: string, share: number) => ({
    type: 'Resource',
    resource: { name: 'cpu', [field]: { averageUtilization: share } },
  })
  const parts = panelParts('horizontalpodautoscalers.autoscaling', {
    metadata: namespaced,
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'web' },
      maxReplicas: 9,
      metrics: [metric('target', 80)],
    },
    status: { currentReplicas: 2, currentMetrics: [metric('current', 31)] },
  })
  expect(rows(parts, 'Targets')).toEqual([['cpu', '31 % of what is requested', '80 % of what is requested']])
  expect(fact(parts, 'Scales')).toEqual({
    ref: { resource: 'deployments.apps', namespace: 'shop', name: 'web' },
    text: 'Deployment web',
  })
})

test('a budget that allows nothing says what waits', () => {
  const parts = panelParts('poddisruptionbudgets.policy', { status: { disruptionsAllowed: 0 } })
  expect(parts[0]).toMatchObject({ lines: ['No pod may be evicted now: a drain of its node waits.'] })
})

test('rules of roles are words', () => {
  expect(
    ruleWords({ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'patch'] }),
  ).toEqual(['read, patch', 'deployments (apps)', null])
  expect(ruleWords({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] })).toEqual([
    'everything',
    'all resources of all groups',
    null,
  ])
  expect(ruleWords({ nonResourceURLs: ['/metrics'], verbs: ['get'] })).toEqual(['get', 'path /metrics', null])
})

test('a binding leads to its role and to its service accounts', () => {
  const parts = panelParts('rolebindings.rbac.authorization.k8s.io', {
    metadata: namespaced,
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'ServiceAccount', name: 'ci' },
      { kind: 'Group', name: 'devs' },
    ],
  })
  expect(fact(parts, 'Cluster role')).toEqual({
    ref: { resource: 'clusterroles.rbac.authorization.k8s.io', namespace: '', name: 'view' },
  })
  expect(rows(parts, 'Subjects')).toEqual([
    ['Service account', { ref: { resource: 'serviceaccounts', namespace: 'shop', name: 'ci' } }, 'shop'],
    ['Group', { code: 'devs' }, null],
  ])
})

test('a kind that nobody described shows its plain values, and folds the nested ones', () => {
  const parts = panelParts('widgets.example.com', {
    apiVersion: 'example.com/v1',
    metadata: namespaced,
    spec: { size: 3, maxRetries: 2, parts: [{ name: 'a' }], none: {} },
    status: { conditions: [{ type: 'Ready' }], phase: 'Ready' },
  })
  expect(fact(parts, 'Size')).toBe('3')
  expect(fact(parts, 'Max retries')).toBe('2')
  expect(fact(parts, 'Phase')).toBe('Ready')
  expect(parts).toContainEqual({
    type: 'values',
    title: 'Specification, nested',
    value: { parts: [{ name: 'a' }] },
  })
})

test('parts with nothing in them are left out, whatever the object is', () => {
  for (const resource of ['pods', 'nodes', 'services', 'persistentvolumes', 'widgets.example.com'])
    expect(panelParts(resource, {}).every((part) => part.type !== 'table' || part.rows.length > 0)).toBe(true)
})

test('selectors read as kubectl writes them', () => {
  expect(
    selectorText({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    }),
  ).toBe('app=web,tier in (a,b),!old')
  expect(selectorText({})).toBeNull()
})
