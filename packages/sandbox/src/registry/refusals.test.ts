import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { deploymentsPath, podsPath, testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

/** Which field is refused, and how, for each complaint about a body. */
async function complaints(path: string, body: unknown): Promise<string[]> {
  const reply = await sandbox.call('POST', `${path}?dryRun=All`, body)
  expect(reply.code).toBe(422)
  return listAt(reply.body, 'details', 'causes').map(
    (cause) => `${textAt(cause, 'field')}: ${textAt(cause, 'message')}`,
  )
}

const container = { name: 'c', image: 'nginx' }
const mismatch =
  'spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'

test('what is missing is said together with what is wrong', async () => {
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c' }, { image: 'nginx' }] },
  }
  const selector = { matchLabels: { a: 'c' } }
  expect(
    await complaints(deploymentsPath, {
      metadata: { name: 'd' },
      spec: { selector, replicas: -1, template },
    }),
  ).toEqual([
    'spec.template.spec.containers[1].name: Required value',
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    mismatch,
    'spec.template.spec.containers[0].image: Required value',
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ])
})

test('a deployment without a selector selects nothing, and one without anything lacks its inner parts', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }
  expect(await complaints(deploymentsPath, { metadata: { name: 'd' }, spec: { template } })).toEqual([
    'spec.selector: Required value',
    mismatch,
  ])
  const nothing = await complaints(deploymentsPath, { metadata: { name: 'd' } })
  expect(nothing).toContain('spec.selector: Required value')
  expect(nothing).toContain('spec.template.spec.containers: Required value')
  expect(await complaints(podsPath, { metadata: { name: 'p' } })).toEqual(['spec.containers: Required value'])
})

test('probes, ports, mounts, tolerations and the deadline of a pod are looked at', async () => {
  const spec = {
    activeDeadlineSeconds: 0,
    containers: [
      {
        ...container,
        ports: [{ containerPort: 80, name: 'a-name-that-is-too-long' }],
        volumeMounts: [{ name: 'v', mountPath: '' }],
        livenessProbe: { periodSeconds: -1, successThreshold: 2, httpGet: { port: 0 } },
      },
    ],
    volumes: [{ name: 'v', configMap: {} }],
    tolerations: [
      { key: 'a', operator: 'Foo' },
      { operator: 'Equal' },
      { key: 'a', operator: 'Exists', tolerationSeconds: 3 },
    ],
  }
  expect(await complaints(podsPath, { metadata: { name: 'p' }, spec })).toEqual([
    'spec.volumes[0].configMap.name: Required value',
    'spec.containers[0].ports[0].name: Invalid value: "a-name-that-is-too-long": must be no more than 15 characters',
    'spec.containers[0].volumeMounts[0].mountPath: Required value',
    'spec.containers[0].livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
    'spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
    'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
    'spec.tolerations[0].operator: Unsupported value: "Foo": supported values: "Equal", "Exists"',
    'spec.tolerations[1].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    'spec.tolerations[2].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
  ])
})

test.each([
  [
    { serviceAccountName: 'nobody' },
    'error looking up service account default/nobody: serviceaccount "nobody" not found',
  ],
  [{ priorityClassName: 'none' }, 'no PriorityClass with name none was found'],
  [{ runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
])('a pod with %j is refused, for that is not there', async (own, text) => {
  const spec = { ...own, containers: [container] }
  const { code, body } = await sandbox.call('POST', podsPath, { metadata: { name: 'p' }, spec })
  expect(code).toBe(403)
  expect(textAt(body, 'message')).toBe(`pods "p" is forbidden: ${text}`)
})

const of = (group: string, resource: string) => `/apis/${group}/namespaces/default/${resource}`

test.each([
  [
    '/api/v1/namespaces/default/services',
    { spec: { ports: [{ port: 80, nodePort: 30_000 }] } },
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    '/api/v1/namespaces/default/persistentvolumeclaims',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '-1Gi' } } } },
    'spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero',
  ],
  [
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    { value: 2_000_000_000 },
    'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ],
  [
    of('networking.k8s.io/v1', 'ingresses'),
    { spec: { rules: [{ host: '-' }] } },
    /^spec\.rules\[0\]\.host: Invalid value: "-": a lowercase RFC 1123 subdomain must consist/,
  ],
  [
    of('apps/v1', 'statefulsets'),
    {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        podManagementPolicy: 'Some',
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
      },
    },
    "spec.podManagementPolicy: Invalid value: \"Some\": must be 'OrderedReady' or 'Parallel'",
  ],
])('%s: what cannot be is refused', async (path, body, text) => {
  expect(await complaints(path, { metadata: { name: 'x' }, ...body })).toEqual([
    typeof text === 'string' ? text : expect.stringMatching(text),
  ])
})

const service = (port: unknown) => ({ service: { name: 'web', port } })
const path = (one: object) => ({ spec: { rules: [{ http: { paths: [one] } }] } })
const inPath = 'spec.rules[0].http.paths[0]'

test.each([
  [
    { path: '/', pathType: 'Prefix' },
    `${inPath}.backend: Invalid value: "": resource or service backend is required`,
  ],
  [
    { path: '/', pathType: 'Prefix', backend: service({}) },
    `${inPath}.backend: Required value: port name or number is required`,
  ],
  [
    { path: '/', pathType: 'Prefix', backend: service({ name: 'http', number: 80 }) },
    `${inPath}.backend: Invalid value: "": cannot set both port name & port number`,
  ],
  [
    { path: '/', pathType: 'Prefix', backend: service({ number: 70_000 }) },
    `${inPath}.backend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive`,
  ],
  [
    { path: '/', pathType: 'Prefix', backend: { service: { port: { number: 80 } } } },
    `${inPath}.backend.service.name: Required value`,
  ],
  [
    {
      path: '/',
      pathType: 'Prefix',
      backend: { ...service({ number: 80 }), resource: { kind: 'A', name: 'a' } },
    },
    `${inPath}.backend: Invalid value: "": cannot set both resource and service backends`,
  ],
  [
    { path: '/a//b', pathType: 'Exact', backend: service({ number: 80 }) },
    `${inPath}.path: Invalid value: "/a//b": must not contain '//'`,
  ],
])('an ingress path %j is refused', async (one, text) => {
  expect(
    await complaints(of('networking.k8s.io/v1', 'ingresses'), { metadata: { name: 'i' }, ...path(one) }),
  ).toEqual([text])
})

test('hosts of an ingress are names', async () => {
  const spec = {
    defaultBackend: service({ number: 80 }),
    rules: [{ host: '10.0.0.1' }],
    tls: [{ secretName: 'A_b' }],
  }
  expect(
    await complaints(of('networking.k8s.io/v1', 'ingresses'), { metadata: { name: 'i' }, spec }),
  ).toEqual([
    'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    expect.stringMatching(
      /^spec\.tls\[0\]\.secretName: Invalid value: "A_b": a lowercase RFC 1123 subdomain/,
    ),
  ])
})

test('peers and ports of a network policy are looked at', async () => {
  const spec = {
    policyTypes: ['Both'],
    ingress: [
      {
        ports: [{ protocol: 'ICMP', port: 0 }, { port: 80, endPort: 70 }, { endPort: 70 }],
        from: [
          {},
          { ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', 'x'] } },
          {
            ipBlock: { cidr: '10.0.0.1' },
            podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
          },
        ],
      },
    ],
  }
  expect(
    await complaints(of('networking.k8s.io/v1', 'networkpolicies'), { metadata: { name: 'n' }, spec }),
  ).toEqual([
    'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
    'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    'spec.ingress[0].ports[1].endPort: Invalid value: 80: must be greater than or equal to `port`',
    'spec.ingress[0].ports[2].endPort: Invalid value: 70: may not be specified when `port` is not specified',
    'spec.ingress[0].from[0]: Required value: must specify a peer',
    'spec.ingress[0].from[1].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    'spec.ingress[0].from[1].ipBlock.except[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    "spec.ingress[0].from[2].podSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    'spec.ingress[0].from[2].ipBlock.cidr: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    'spec.ingress[0].from[2]: Forbidden: may not specify both ipBlock and another peer',
    'spec.policyTypes[0]: Unsupported value: "Both": supported values: "Egress", "Ingress"',
  ])
})

test('a network policy is filled in with what it applies to', async () => {
  const spec = { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] }
  const body = { metadata: { name: 'n' }, spec }
  const reply = await sandbox.call(
    'POST',
    `${of('networking.k8s.io/v1', 'networkpolicies')}?dryRun=All`,
    body,
  )
  expect(reply.body).toMatchObject({
    spec: { policyTypes: ['Ingress', 'Egress'], egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }] },
  })
})

const limitsPath = '/api/v1/namespaces/default/limitranges'

test('the bounds of a limit range must fit each other', async () => {
  const limits = [
    { type: 'Container', min: { cpu: '2' }, max: { cpu: '1' }, maxLimitRequestRatio: { memory: '500m' } },
    { type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '3' } },
    { type: 'Pod', default: { cpu: '1' } },
    { type: 'PersistentVolumeClaim' },
    { type: 'Foo' },
  ]
  const causes = await complaints(limitsPath, { metadata: { name: 'l' }, spec: { limits } })
  expect(causes).toContain(
    'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
  )
  expect(causes).toContain(
    'spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "500m": ratio 500m is less than 1',
  )
  expect(causes).toContain('spec.limits[1].type: Duplicate value: "Container"')
  expect(causes).toContain(
    'spec.limits[1].defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than default limit value 2',
  )
  expect(causes).toContain("spec.limits[2].default: Forbidden: may not be specified when `type` is 'Pod'")
  expect(causes).toContain(
    'spec.limits[3].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
  )
  expect(causes).toContain(
    'spec.limits[4].type: Invalid value: "Foo": must be a standard limit type or fully qualified',
  )
})

test('a limit range for containers fills its defaults in from its bounds', async () => {
  const limits = [{ type: 'Container', min: { cpu: '100m', memory: '1Mi' }, max: { cpu: '1' } }]
  const body = { metadata: { name: 'l' }, spec: { limits } }
  const reply = await sandbox.call('POST', `${limitsPath}?dryRun=All`, body)
  expect(reply.body).toMatchObject({
    spec: { limits: [{ default: { cpu: '1' }, defaultRequest: { cpu: '1', memory: '1Mi' } }] },
  })
})

test('a change that lacks something is answered with all else that is wrong too', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } }
  const spec = { selector: { matchLabels: { a: 'b' } }, template }
  await sandbox.call('POST', deploymentsPath, { metadata: { name: 'changed' }, spec })
  const broken = {
    ...spec,
    replicas: -1,
    template: { ...template, spec: { containers: [{ image: 'nginx' }] } },
  }
  const reply = await sandbox.call('PUT', `${deploymentsPath}/changed`, {
    metadata: { name: 'changed' },
    spec: broken,
  })
  expect(listAt(reply.body, 'details', 'causes').map((cause) => textAt(cause, 'field'))).toEqual([
    'spec.template.spec.containers[0].name',
    'spec.replicas',
  ])
})
