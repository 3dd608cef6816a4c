import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

async function complaints(path: string, spec: object): Promise<string[]> {
  const reply = await sandbox.call('POST', `${path}?dryRun=All`, { metadata: { name: 'x' }, ...spec })
  return listAt(reply.body, 'details', 'causes').map(
    (cause) => `${textAt(cause, 'field')}: ${textAt(cause, 'message')}`,
  )
}

const container = { name: 'c', image: 'nginx' }
const env = (one: object) => ({ env: [{ name: 'A', ...one }] })
const ref = { name: 'a', key: 'k' }

test.each<[own: object, path: string, text: string]>([
  [env({ name: '', value: 'a' }), 'env[0].name', 'Required value'],
  [
    env({ valueFrom: {} }),
    'env[0].valueFrom',
    'Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
  ],
  [
    env({ valueFrom: { configMapKeyRef: ref, secretKeyRef: ref } }),
    'env[0].valueFrom',
    'Invalid value: "": may not have more than one field specified at a time',
  ],
  [
    env({ valueFrom: { fieldRef: { fieldPath: 'status.foo' } } }),
    'env[0].valueFrom.fieldRef.fieldPath',
    'Invalid value: "status.foo": error converting fieldPath: field label not supported: status.foo',
  ],
  [
    { terminationMessagePolicy: 'x' },
    'terminationMessagePolicy',
    'Unsupported value: "x": supported values: "FallbackToLogsOnError", "File"',
  ],
  [{ lifecycle: { preStop: {} } }, 'lifecycle.preStop', 'Required value: must specify a handler type'],
  [
    { securityContext: { runAsUser: -1 } },
    'securityContext.runAsUser',
    'Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ],
])('a container with %j is refused', async (own, path, text) => {
  const spec = { containers: [{ ...container, ...own }] }
  expect(await complaints(podsPath, { spec })).toEqual([`spec.containers[0].${path}: ${text}`])
})

const hard = 'requiredDuringSchedulingIgnoredDuringExecution'
const term = (one: object) => ({
  affinity: { nodeAffinity: { [hard]: { nodeSelectorTerms: [{ matchExpressions: [one] }] } } },
})
const inTerm = `affinity.nodeAffinity.${hard}.nodeSelectorTerms[0].matchExpressions[0]`

test.each<[own: object, texts: string[]]>([
  [
    { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'X' }] },
    [
      'topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "X": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ],
  ],
  [
    term({ key: 'a', operator: 'Foo' }),
    [`${inTerm}.operator: Invalid value: "Foo": not a valid selector operator`],
  ],
  [
    term({ key: 'a', operator: 'In' }),
    [`${inTerm}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`],
  ],
  [
    term({ key: 'a', operator: 'Gt', values: ['1', '2'] }),
    [`${inTerm}.values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`],
  ],
  [
    { affinity: { podAntiAffinity: { [hard]: [{ topologyKey: '' }] } } },
    [`affinity.podAntiAffinity.${hard}[0].topologyKey: Required value: can not be empty`],
  ],
  [
    { dnsPolicy: 'None' },
    [
      'dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
    ],
  ],
  [
    { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 81 }] }] },
    [
      'containers[0].ports[0].containerPort: Invalid value: 80: must match `hostPort` when `hostNetwork` is true',
    ],
  ],
])('a pod with %j is refused', async (own, texts) => {
  const spec = { containers: [container], ...own }
  expect(await complaints(podsPath, { spec })).toEqual(texts.map((text) => `spec.${text}`))
})

const of = (group: string, resource: string) => `/apis/${group}/namespaces/default/${resource}`
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }
const workload = { selector: { matchLabels: { a: 'b' } }, template }
const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } }
const target = { kind: 'Deployment', name: 'x', apiVersion: 'apps/v1' }
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] }
const core = '/api/v1/namespaces/default'

test.each<[path: string, spec: object, text: string]>([
  [
    of('apps/v1', 'deployments'),
    { ...workload, minReadySeconds: 10, progressDeadlineSeconds: 5 },
    'progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds',
  ],
  [
    of('apps/v1', 'daemonsets'),
    { ...workload, updateStrategy: { type: 'Foo' } },
    'updateStrategy.type: Unsupported value: "Foo": supported values: "RollingUpdate", "OnDelete"',
  ],
  [
    of('batch/v1', 'jobs'),
    { ...jobTemplate.spec, completionMode: 'Foo' },
    'completionMode: Unsupported value: "Foo": supported values: "NonIndexed", "Indexed"',
  ],
  [of('batch/v1', 'cronjobs'), { jobTemplate, schedule: '' }, 'schedule: Required value'],
  [
    of('batch/v1', 'cronjobs'),
    { jobTemplate, schedule: '* * * * *', failedJobsHistoryLimit: -1 },
    'failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    `${core}/services`,
    { ports: [{ port: 80, protocol: 'X' }] },
    'ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    `${core}/services`,
    { ports: [{ port: 80 }], externalTrafficPolicy: 'Local' },
    'externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
  ],
  [
    of('autoscaling/v2', 'horizontalpodautoscalers'),
    { scaleTargetRef: target, maxReplicas: 3, metrics: [{ type: 'Resource' }] },
    'metrics[0].resource: Required value: must populate information for the given metric source',
  ],
  [
    of('policy/v1', 'poddisruptionbudgets'),
    { maxUnavailable: '150%' },
    'maxUnavailable: Invalid value: "150%": must not be greater than 100%',
  ],
  [
    '/api/v1/persistentvolumes',
    { ...volume, hostPath: { path: '/a' }, nfs: { server: 'a', path: '/' } },
    'nfs: Forbidden: may not specify more than 1 volume type',
  ],
  [
    `${core}/resourcequotas`,
    { hard: { foo: '1' } },
    'hard[foo]: Invalid value: "foo": must be a standard resource for quota',
  ],
  [
    `${core}/persistentvolumeclaims`,
    { ...volume, capacity: undefined, resources: { requests: volume.capacity }, volumeMode: 'x' },
    'volumeMode: Unsupported value: "x": supported values: "Block", "Filesystem"',
  ],
])('%s: a wrong field is refused', async (path, spec, text) => {
  expect(await complaints(path, { spec })).toEqual([`spec.${text}`])
})

test('a claim cannot shrink, and grows only once it is bound', async () => {
  const path = `${core}/persistentvolumeclaims`
  const size = (storage: string) => ({ spec: { resources: { requests: { storage } } } })
  const merge = { 'content-type': 'application/merge-patch+json' }
  const claim = { accessModes: ['ReadWriteOnce'], ...size('2Gi').spec }
  await sandbox.call('POST', path, { metadata: { name: 'data' }, spec: claim })
  const early = await sandbox.call('PATCH', `${path}/data`, size('3Gi'), merge)
  expect(textAt(early.body, 'message')).toContain('spec: Forbidden: spec is immutable after creation')
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }]
  await sandbox.call('POST', podsPath, {
    metadata: { name: 'p' },
    spec: { containers: [container], volumes },
  })
  await sandbox.until(`${path}/data`, (body) => textAt(body, 'status', 'phase') === 'Bound')
  const shrunk = await sandbox.call('PATCH', `${path}/data`, size('1Gi'), merge)
  expect(shrunk.code).toBe(422)
  expect(textAt(shrunk.body, 'message')).toBe(
    'PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  )
  expect((await sandbox.call('PATCH', `${path}/data`, size('3Gi'), merge)).code).toBe(200)
})
