import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt } from '../json.ts'
import { deployment, testSandbox, type Reply, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

const label = (mode: string) => `pod-security.kubernetes.io/${mode}`

async function giveNamespace(name: string, labels: Record<string, string>): Promise<Reply> {
  return sandbox.call('POST', '/api/v1/namespaces', { metadata: { name, labels } })
}

function pod(spec: object, container: object = {}): object {
  return {
    metadata: { name: 'p' },
    spec: { ...spec, containers: [{ name: 'c', image: 'nginx', ...container }] },
  }
}

const message = (reply: Reply) => textAt(reply.body, 'message')
const all =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")'
const safe = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
}

test('a namespace that enforces the restricted level takes no pod that breaks it', async () => {
  await giveNamespace('strict', { [label('enforce')]: 'restricted' })
  const path = '/api/v1/namespaces/strict/pods'
  const plain = await sandbox.call('POST', path, pod({}))
  expect(plain.code).toBe(403)
  expect(message(plain)).toBe(`pods "p" is forbidden: violates PodSecurity "restricted:latest": ${all}`)
  const volumes = [{ name: 'v', hostPath: { path: '/' } }]
  const worse = await sandbox.call(
    'POST',
    path,
    pod(
      { hostNetwork: true, volumes },
      { securityContext: { ...safe, allowPrivilegeEscalation: true, privileged: true, runAsUser: 0 } },
    ),
  )
  expect(message(worse)?.split('latest": ')[1]).toBe(
    'host namespaces (hostNetwork=true), privileged (container "c" must not set securityContext.privileged=true), allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), restricted volume types (volume "v" uses restricted volume type "hostPath"), runAsUser=0 (container "c" must not set runAsUser=0)',
  )
  expect((await sandbox.call('POST', path, pod({}, { securityContext: safe }))).code).toBe(201)
})

test('the baseline takes what is common, and says what is not', async () => {
  await giveNamespace('base', { [label('enforce')]: 'baseline', [label('enforce-version')]: 'v1.33' })
  const path = '/api/v1/namespaces/base/pods'
  const odd = pod(
    {},
    { ports: [{ containerPort: 1, hostPort: 81 }], securityContext: { capabilities: { add: ['SYS_TIME'] } } },
  )
  expect(message(await sandbox.call('POST', path, odd))).toBe(
    'pods "p" is forbidden: violates PodSecurity "baseline:v1.33": non-default capabilities (container "c" must not include "SYS_TIME" in securityContext.capabilities.add), hostPort (container "c" uses hostPort 81)',
  )
  expect((await sandbox.call('POST', path, pod({}))).code).toBe(201)
  const merge = { 'content-type': 'application/merge-patch+json' }
  const stricter = { metadata: { labels: { [label('enforce')]: 'restricted' } } }
  const changed = await sandbox.call('PATCH', '/api/v1/namespaces/base', stricter, merge)
  expect(String(changed.headers['warning'])).toContain(
    'existing pods in namespace \\"base\\" violate the new PodSecurity enforce level \\"restricted:v1.33\\"',
  )
  expect(String(changed.headers['warning'])).toContain('p: allowPrivilegeEscalation != false, unrestricted')
})

test('a deployment is warned of, and its pods are refused', async () => {
  await giveNamespace('both', { [label('enforce')]: 'restricted', [label('warn')]: 'restricted' })
  const path = '/apis/apps/v1/namespaces/both/deployments'
  const reply = await sandbox.call('POST', path, deployment('web'))
  expect(reply.code).toBe(201)
  expect(String(reply.headers['warning'])).toContain(
    'would violate PodSecurity \\"restricted:latest\\": allow',
  )
  const events = await sandbox.call('GET', '/api/v1/namespaces/both/events?fieldSelector=reason=FailedCreate')
  expect(textAt(listAt(events.body, 'items')[0], 'message')).toMatch(
    /^Error creating: pods "web-\S+" is forbidden: violates PodSecurity/,
  )
})

test('labels of no level are refused', async () => {
  const reply = await giveNamespace('wrong', { [label('enforce')]: 'hard', [label('warn-version')]: '2' })
  expect(message(reply)).toBe(
    'Namespace "wrong" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "hard": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "2": must be "latest" or "v1.x"]',
  )
})
