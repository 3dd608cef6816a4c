import { expect, test } from 'vitest'
import { actOfRequest } from './act-of-request.ts'
import { requestInfo } from './request-info.ts'

const web = '/apis/apps/v1/namespaces/shop/deployments/web'
const node = '/api/v1/nodes/w-1'
const template = (value: unknown) => ({ spec: { template: value } })
const merge = 'application/strategic-merge-patch+json'
const operations = 'application/json-patch+json'

const actOf = (method: string, path: string, body?: unknown, contentType = merge) =>
  actOfRequest(
    requestInfo(method, path.slice(1).split('/'), new URLSearchParams()),
    body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    contentType,
  )

test.each<
  [name: string, act: string | undefined, method: string, path: string, body?: unknown, type?: string]
>([
  [
    'kubectl rollout restart',
    'restart',
    'PATCH',
    web,
    template({ metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' } } }),
  ],
  [
    'an image beside a restart',
    undefined,
    'PATCH',
    web,
    template({
      metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } },
      spec: { containers: [{ name: 'web', image: 'web:2' }] },
    }),
  ],
  [
    'kubectl rollout undo of a deployment',
    'rollback',
    'PATCH',
    web,
    [
      { op: 'replace', path: '/spec/template', value: {} },
      { op: 'replace', path: '/metadata/annotations', value: {} },
    ],
    operations,
  ],
  [
    'a roll back that is guarded by the generation',
    'rollback',
    'PATCH',
    web,
    [
      { op: 'test', path: '/metadata/generation', value: 3 },
      { op: 'replace', path: '/spec/template', value: {} },
    ],
    operations,
  ],
  [
    'kubectl rollout undo of a daemon set',
    'rollback',
    'PATCH',
    '/apis/apps/v1/namespaces/shop/daemonsets/agent',
    template({ $patch: 'replace', spec: { containers: [{ name: 'agent' }] } }),
  ],
  [
    'another number of replicas beside a template',
    undefined,
    'PATCH',
    web,
    [
      { op: 'replace', path: '/spec/template', value: {} },
      { op: 'replace', path: '/spec/replicas', value: 9 },
    ],
    operations,
  ],
  ['kubectl rollout pause', 'pause', 'PATCH', web, { spec: { paused: true } }],
  ['kubectl rollout resume', 'resume', 'PATCH', web, { spec: { paused: null } }],
  [
    'a cron job suspended',
    'pause',
    'PATCH',
    '/apis/batch/v1/namespaces/shop/cronjobs/nightly',
    { spec: { suspend: true } },
  ],
  ['kubectl scale', 'scale', 'PATCH', `${web}/scale`, { spec: { replicas: 3 } }],
  ['kubectl scale that puts', 'scale', 'PUT', `${web}/scale`],
  ['a read of the scale', undefined, 'GET', `${web}/scale`],
  ['replicas of the object itself', 'scale', 'PATCH', web, { spec: { replicas: 3 } }],
  ['kubectl cordon', 'cordon', 'PATCH', node, { spec: { unschedulable: true } }],
  ['kubectl uncordon', 'uncordon', 'PATCH', node, { spec: { unschedulable: null } }],
  ['kubectl taint', 'taint', 'PATCH', node, { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }],
  ['an eviction', 'evict', 'POST', '/api/v1/namespaces/shop/pods/web-1/eviction'],
  ['kubectl label', 'label', 'PATCH', web, { metadata: { resourceVersion: '7', labels: { team: 'shop' } } }],
  [
    'a label removed',
    'label',
    'PATCH',
    web,
    [{ op: 'remove', path: '/metadata/labels/app.kubernetes.io~1part-of' }],
    operations,
  ],
  ['kubectl annotate', 'annotate', 'PATCH', web, { metadata: { annotations: { note: null } } }],
  [
    'kubectl set image',
    'set_image',
    'PATCH',
    web,
    template({
      spec: {
        '$setElementOrder/containers': [{ name: 'web' }],
        containers: [{ name: 'web', image: 'web:2' }],
      },
    }),
  ],
  [
    'a claim that grows',
    'resize',
    'PATCH',
    '/api/v1/namespaces/shop/persistentvolumeclaims/data',
    { spec: { resources: { requests: { storage: '20Gi' } } } },
  ],
  ['kubectl apply --server-side', 'apply', 'PATCH', web, 'kind: Deployment', 'application/apply-patch+yaml'],
  ['kubectl create token', 'create_token', 'POST', '/api/v1/namespaces/shop/serviceaccounts/ci/token'],
  [
    'labels and replicas',
    undefined,
    'PATCH',
    web,
    { metadata: { labels: { a: 'b' } }, spec: { replicas: 2 } },
  ],
  ['a patch of nothing', undefined, 'PATCH', web, {}],
  ['a body that is no JSON', undefined, 'PATCH', web, '{'],
  ['a patch that is no object', undefined, 'PATCH', web, '"text"'],
  ['a deletion', undefined, 'DELETE', web],
])('%s is %s', (_name, act, method, path, body, type) => {
  expect(actOf(method, path, body, type)).toBe(act)
})
