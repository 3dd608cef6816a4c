import type { Health } from '@bey/contract'
import { expect, test } from 'vitest'
import { explain } from './explain.ts'
import { rules } from './rules.ts'
import type { Situation } from './situation.ts'

const now = '2026-01-01T12:00:00Z'
const failing: Health = {
  state: 'failing',
  reason: 'Broken',
  detail: null,
  since: '2026-01-01T11:50:00.000Z',
  object: null,
}

/** A pod of the deployment web whose container is in the given state; rules see the rest as it is here. */
function situation(more: Partial<Situation> = {}): Situation {
  const status = { name: 'main', ready: false, restartCount: 0, state: { running: { startedAt: now } } }
  const spec = { name: 'main', image: 'shop/web:2' }
  return {
    subject: { kind: 'Pod', resource: 'pods', namespace: 'shop', name: 'web-1', object: {} },
    pod: { metadata: { name: 'web-1', namespace: 'shop' }, spec: { nodeName: 'n1', containers: [spec] } },
    container: { spec, status, isInit: false },
    log: null,
    events: [],
    node: null,
    workload: { kind: 'Deployment', resource: 'deployments.apps', namespace: 'shop', name: 'web' },
    revisions: [],
    missing: [],
    references: { count: 0, areAllRead: true, immutable: [] },
    claimsWithoutClass: [],
    selectedPods: [],
    readyEndpoints: {},
    mountedBy: [],
    volume: null,
    nowMs: Date.parse(now),
    ...more,
  }
}
const withStatus = (status: object, spec: object = {}) => ({
  container: {
    spec: { name: 'main', image: 'shop/web:2', ...spec },
    status: { name: 'main', ...status },
    isInit: false,
  },
})
const event = (reason: string, message: string, count = 3) => ({
  uid: reason,
  type: 'Warning',
  reason,
  message,
  namespace: 'shop',
  object: 'Pod/web-1',
  count,
  firstSeenAt: null,
  lastSeenAt: '2026-01-01T11:59:00.000Z',
})
const pulling = (message: string) =>
  withStatus({ state: { waiting: { reason: 'ImagePullBackOff', message } } })
const ended = (exitCode: number, reason = 'Error') =>
  withStatus({
    restartCount: 4,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: { terminated: { exitCode, reason, finishedAt: now } },
  })
const unscheduled = (message: string): Partial<Situation> => ({
  container: null,
  pod: {
    metadata: { name: 'web-1', namespace: 'shop' },
    spec: { containers: [{ name: 'main', resources: { requests: { cpu: '8' } } }] },
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
  },
})
const node = (conditions: object[], spec = {}) => ({ metadata: { name: 'n1' }, spec, status: { conditions } })
const notReady = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', lastTransitionTime: now }
const of = (kind: string, resource: string, object: Situation['subject']['object'] = {}) => ({
  subject: { kind, resource, namespace: 'shop', name: 'it', object },
  pod: null,
  container: null,
})
const claim = of('PersistentVolumeClaim', 'persistentvolumeclaims', { status: { phase: 'Pending' } })

const failClosed = (failurePolicy: string) => {
  const service = { namespace: 'policy', name: 'gate' }
  const object: object = { webhooks: [{ name: 'gate', failurePolicy, clientConfig: { service } }] }
  return of('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', object)
}

const cases: [string, Partial<Situation>, string][] = [
  ['image-missing', pulling('rpc error: manifest unknown'), 'its registry does not have it'],
  ['image-refused', pulling('pull access denied: unauthorized'), 'does not let this cluster pull'],
  ['image-unreachable', pulling('dial tcp: lookup registry: no such host'), 'cannot be reached'],
  [
    'image-never-pulled',
    withStatus({ state: { waiting: { reason: 'ErrImageNeverPull' } } }),
    'pull policy Never forbids',
  ],
  ['image-pull', pulling('toomanyrequests: rate limit'), 'shop/web:2 cannot be pulled.'],
  ['image-name', withStatus({ state: { waiting: { reason: 'InvalidImageName' } } }), 'not a valid name'],
  [
    'missing-key',
    withStatus({
      state: {
        waiting: {
          reason: 'CreateContainerConfigError',
          message: `couldn't find key url in ConfigMap shop/settings`,
        },
      },
    }),
    'The config map "settings" has no key "url"',
  ],
  ['exit-code', { ...ended(1), log: 'panic: X is not set\nat main' }, 'exits with code 1: X is not set'],
  ['exit-code', ended(127), 'its command was not found in the image'],
  ['exit-code', ended(137), 'was killed (SIGKILL)'],
  ['out-of-memory', ended(137, 'OOMKilled'), 'its node ran out of memory'],
  [
    'liveness-probe',
    { ...ended(137), events: [event('Unhealthy', 'Liveness probe failed: 500')] },
    'restarts it',
  ],
  ['start-error', withStatus({ state: { waiting: { reason: 'RunContainerError' } } }), 'cannot be started'],
  [
    'readiness-probe',
    { events: [event('Unhealthy', 'Readiness probe failed: 503')] },
    'does not become ready',
  ],
  ['no-room', unscheduled('0/3 nodes are available: 3 Insufficient cpu.'), 'No node has enough CPU left'],
  ['too-many-pods', unscheduled('0/3 nodes are available: 3 Too many pods.'), 'as many pods as they may'],
  [
    'taint',
    unscheduled('0/1 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}.'),
    'does not tolerate the taint dedicated: gpu',
  ],
  [
    'claim-unbound',
    unscheduled('pod has unbound immediate PersistentVolumeClaims.'),
    'not bound to a volume',
  ],
  [
    'pod-claim-class-missing',
    {
      ...unscheduled('pod has unbound immediate PersistentVolumeClaims.'),
      claimsWithoutClass: [{ claim: 'data', storageClass: 'fast' }],
    },
    'Its volume claim "data" waits for the storage class "fast", which does not exist',
  ],
  ['unschedulable', unscheduled('0/3 nodes are available: something new.'), 'finds no node'],
  [
    'quota',
    { container: null, events: [event('FailedCreate', 'exceeded quota: pods, requested')] },
    'is used up',
  ],
  [
    'refused-pod',
    { container: null, events: [event('FailedCreate', 'violates PodSecurity "restricted"')] },
    'A policy of the cluster refuses',
  ],
  [
    'webhook-refuses',
    {
      container: null,
      events: [event('FailedCreate', 'failed calling webhook "policy.example.com": EOF')],
    },
    'The webhook "policy.example.com" does not answer',
  ],
  [
    'volume-mount',
    {
      ...withStatus({ state: { waiting: { reason: 'ContainerCreating' } } }),
      events: [event('FailedMount', 'timed out waiting')],
    },
    'cannot be mounted',
  ],
  ['node-not-ready', { node: node([notReady]) }, 'has stopped reporting'],
  ['node-pressure', { node: node([{ type: 'DiskPressure', status: 'True' }]) }, 'runs out of disk space'],
  ['cordoned', { ...of('Node', 'nodes'), node: node([], { unschedulable: true }) }, 'is cordoned'],
  [
    'evicted',
    {
      container: null,
      pod: { metadata: { name: 'web-1' }, status: { reason: 'Evicted', message: 'low on memory' } },
    },
    'evicted the pod',
  ],
  [
    'job-failed',
    of('Job', 'jobs.batch', {
      status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] },
    }),
    'is not tried again',
  ],
  ['paused', of('Deployment', 'deployments.apps', { spec: { paused: true } }), 'The rollout is paused'],
  [
    'finalizer',
    of('Namespace', 'namespaces', {
      metadata: { deletionTimestamp: '2026-01-01T11:00:00Z', finalizers: ['example.com/guard'] },
    }),
    'waits for example.com/guard',
  ],
  [
    'claim-class-missing',
    {
      ...claim,
      missing: [{ kind: 'StorageClass', resource: 'storageclasses.storage.k8s.io', name: 'fast' }],
    },
    'The storage class "fast" does not exist',
  ],
  [
    'claim-waits-for-consumer',
    { ...claim, events: [event('WaitForFirstConsumer', 'waiting for first consumer')] },
    'when a pod first uses the claim',
  ],
  [
    'volume-full',
    { ...claim, volume: { usedBytes: 960, capacityBytes: 1000, inodesUsed: 5, inodes: 100 } },
    'nearly filled its volume',
  ],
  [
    'claim-provisioning',
    { ...claim, events: [event('ProvisioningFailed', 'no quota')] },
    'No volume could be made',
  ],
  [
    'ingress-reference',
    {
      ...of('Ingress', 'ingresses.networking.k8s.io'),
      missing: [{ kind: 'Secret', resource: 'secrets', name: 'tls' }],
    },
    'The TLS secret "tls"',
  ],
  [
    'ingress-no-endpoints',
    { ...of('Ingress', 'ingresses.networking.k8s.io'), readyEndpoints: { web: 0 } },
    'No pod behind the service "web" is ready',
  ],
  [
    'service-no-endpoints',
    {
      ...of('Service', 'services', { spec: { selector: { app: 'web' } } }),
      readyEndpoints: { it: 0 },
    },
    'No pod has the labels of its selector, app=web',
  ],
  [
    'service-no-endpoints',
    {
      ...of('Service', 'services', { spec: { selector: { app: 'web' } } }),
      selectedPods: ['web-1', 'web-2'],
      readyEndpoints: { it: 0 },
    },
    'None of the 2 pods behind it is ready',
  ],
  [
    'scaling-inactive',
    of('HorizontalPodAutoscaler', 'horizontalpodautoscalers.autoscaling', {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' } },
      status: {
        conditions: [{ type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric' }],
      },
    }),
    'It gets no metrics of the pods of Deployment web',
  ],
  ['webhook-unanswered', { ...failClosed('Fail'), readyEndpoints: { 'policy/gate': 0 } }, 'fails closed'],
  [
    'missing-reference',
    { missing: [{ kind: 'ConfigMap', resource: 'configmaps', name: 'settings' }] },
    'The config map "settings" that it needs does not exist in the namespace shop',
  ],
]

test.each(cases)('%s is found', (rule, more, text) => {
  const found = explain(situation(more), failing, rules)
  expect(found.cause?.rule).toBe(rule)
  expect(found.cause?.text).toContain(text)
  expect(found.evidence.length).toBeGreaterThan(1)
})

test('every rule but that of revisions has a case of its own here', () => {
  const named = new Set(cases.map(([rule]) => rule))
  expect(rules.map(({ id }) => id).filter((id) => !named.has(id))).toEqual(['node-selector', 'bad-revision'])
})

/** What may be ruled out of each cause, where node and references were read and are in order. */
const inOrder = {
  node: 'The node n1 is ready and under no pressure.',
  image: 'The image can be pulled.',
  references: 'Every config map, secret and claim that its containers use exists.',
  memory: 'Its last run was not killed for its use of memory.',
}
type Fact = keyof typeof inOrder
const ruledOutOf: Readonly<Record<string, readonly Fact[]>> = {
  'image-missing': ['node', 'references'],
  'image-refused': ['node', 'references'],
  'image-unreachable': ['node', 'references'],
  'image-never-pulled': ['node', 'references'],
  'image-pull': ['node', 'references'],
  'image-name': ['node', 'references'],
  'missing-key': ['node', 'references'],
  'exit-code 1': ['node', 'image', 'references', 'memory'],
  'exit-code 127': ['node', 'image', 'references', 'memory'],
  // Whatever sent the signal may have been the kernel, for want of memory.
  'exit-code 137': ['node', 'image', 'references'],
  'out-of-memory': ['node', 'image', 'references'],
  'liveness-probe': ['node', 'image', 'references'],
  'start-error': ['node', 'references'],
  'readiness-probe': ['node', 'image', 'references'],
  'no-room': ['references'],
  'too-many-pods': ['references'],
  taint: ['references'],
  'claim-unbound': ['references'],
  unschedulable: ['references'],
  'pod-claim-class-missing': ['references'],
  'webhook-refuses': ['node', 'references'],
  quota: ['node', 'references'],
  'refused-pod': ['node', 'references'],
  'volume-mount': ['node', 'references'],
  'node-not-ready': ['image', 'references'],
  'node-pressure': ['image', 'references'],
  evicted: ['references'],
  'missing-reference': ['node', 'image'],
}

test.each(cases)('of %s only what was checked is ruled out (%#)', (rule, more) => {
  const readyNode = node([
    { type: 'Ready', status: 'True' },
    ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({ type, status: 'False' })),
  ])
  const references = { count: 2, areAllRead: true, immutable: [] }
  const checked = situation({ node: readyNode, references, ...more })
  const { container } = checked
  // A kubelet reports `lastState: {}` of a container that has not ended yet.
  const reported = container && { ...container, status: { lastState: {}, ...container.status } }
  const found = explain({ ...checked, container: reported }, failing, rules)
  const code = container?.status.lastState?.terminated?.exitCode
  const row = ruledOutOf[`${rule} ${code}`] ?? ruledOutOf[rule] ?? []
  expect(found.ruledOut).toEqual(row.map((fact) => inOrder[fact]))
  // Nothing was read but the pod itself.
  const unread = explain(
    { ...checked, node: null, references: { ...references, areAllRead: false } },
    failing,
    rules,
  )
  expect(unread.ruledOut).not.toContain(inOrder.node)
  expect(unread.ruledOut).not.toContain(inOrder.references)
})

test('what is quiet on purpose has no cause', () => {
  const selectorless = { ...of('Service', 'services', { spec: {} }), readyEndpoints: { it: 0 } }
  const disabled = of('HorizontalPodAutoscaler', 'horizontalpodautoscalers.autoscaling', {
    status: { conditions: [{ type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled' }] },
  })
  const open = { ...failClosed('Ignore'), readyEndpoints: { 'policy/gate': 0 } }
  const answered = { ...failClosed('Fail'), readyEndpoints: { 'policy/gate': 1 } }
  for (const more of [selectorless, disabled, open, answered])
    expect(explain(situation(more), failing, rules).cause).toBeNull()
})

test.each(cases)('the remedies of %s change no field that cannot be changed (%#)', (_rule, more) => {
  for (const [kind, resource] of [
    ['Job', 'jobs.batch'],
    ['Pod', 'pods'],
  ] as const) {
    const workload = { kind, resource, namespace: 'shop', name: 'once' }
    const { remedies } = explain(situation({ ...more, workload }), failing, rules)
    for (const { action, command } of remedies) {
      const isEdit = action?.id === 'edit-yaml' || (action?.id === 'set-image' && kind === 'Job')
      const isFixed = action?.object.name === 'once' || action?.object.kind === 'PersistentVolumeClaim'
      expect(isEdit && isFixed, `${action?.id} of ${action?.object.kind}: ${command}`).toBe(false)
    }
  }
})

test('of two explanations the one that lies deeper is the cause, and its remedy comes first', () => {
  const found = explain(situation({ ...ended(1), node: node([notReady]) }), failing, rules)
  expect(found.cause?.rule).toBe('node-not-ready')
  expect(found.evidence.map(({ kind }) => kind)).toContain('exit')
  expect(found.remedies[0]?.text).toBe('Check the machine and its kubelet')
})

test('a revision is blamed for pods of its own, and not for those of the one before', () => {
  const revisions = [
    { revision: 2, images: ['shop/web:2'], createdAt: '2026-01-01T11:50:00Z' },
    { revision: 1, images: ['shop/web:1'], createdAt: '2026-01-01T08:00:00Z' },
  ]
  const podOf = (creationTimestamp: string): Partial<Situation> => ({
    ...ended(1),
    revisions,
    pod: { metadata: { name: 'web-1', namespace: 'shop', creationTimestamp }, spec: { nodeName: 'n1' } },
  })
  const rule = (at: string) => explain(situation(podOf(at)), failing, rules).cause?.rule
  expect(rule('2026-01-01T11:51:00Z')).toBe('bad-revision')
  expect(rule('2026-01-01T09:00:00Z')).toBe('exit-code')
})

test('where no rule fits, what is known stands without a cause', () => {
  const found = explain(situation({ container: null }), { ...failing, detail: 'nobody knows' }, rules)
  expect(found).toMatchObject({ cause: null, symptom: 'Pod web-1: Broken, nobody knows', remedies: [] })
  expect(found.evidence).toHaveLength(1)
})
