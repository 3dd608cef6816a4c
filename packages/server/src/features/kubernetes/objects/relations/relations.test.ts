import { expect, test } from 'vitest'
import { lookUpsFor } from './look-ups.ts'
import { referencesOf } from './references.ts'
import { selectorQuery, selects, selectsPlainly } from './selector.ts'

const names = (resource: string, object: Record<string, unknown>) =>
  referencesOf(resource, object).map(
    ({ relation, resource: target, namespace, name, isOptional }) =>
      `${relation} ${target} ${namespace}/${name}${isOptional ? ' optional' : ''}`,
  )
const metadata = { namespace: 'shop', name: 'x' }

test('a pod refers to its node, account, claims, and every config map and secret, each once', () => {
  expect(
    names('pods', {
      metadata,
      spec: {
        nodeName: 'n1',
        serviceAccountName: 'sa',
        imagePullSecrets: [{ name: 'registry' }],
        volumes: [
          { name: 'a', configMap: { name: 'settings', optional: true } },
          { name: 'b', persistentVolumeClaim: { claimName: 'data' } },
          { name: 'c', projected: { sources: [{ secret: { name: 'tls' } }] } },
        ],
        containers: [{ name: 'app', envFrom: [{ configMapRef: { name: 'settings' } }] }],
        initContainers: [
          { name: 'init', env: [{ valueFrom: { secretKeyRef: { name: 'login', optional: true } } }] },
        ],
      },
    }),
  ).toEqual([
    'runs_on nodes /n1',
    'uses serviceaccounts shop/sa',
    // Optional as a volume, but the environment cannot do without.
    'uses configmaps shop/settings',
    'uses persistentvolumeclaims shop/data',
    'uses secrets shop/tls',
    'uses secrets shop/login optional',
    'uses secrets shop/registry',
  ])
})

test('templates of workloads and cron jobs are read like pods', () => {
  const spec = { containers: [{ name: 'c', envFrom: [{ configMapRef: { name: 'm' } }] }] }
  const template = { template: { spec } }
  for (const resource of ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch'])
    expect(names(resource, { metadata, spec: template })).toEqual(['uses configmaps shop/m'])
  expect(names('cronjobs.batch', { metadata, spec: { jobTemplate: { spec: template } } })).toEqual([
    'uses configmaps shop/m',
  ])
})

test('an ingress refers to services, certificates and its class', () => {
  expect(
    names('ingresses.networking.k8s.io', {
      metadata,
      spec: {
        ingressClassName: 'nginx',
        tls: [{ secretName: 'cert' }],
        rules: [{ host: 'a.b', http: { paths: [{ path: '/x', backend: { service: { name: 'web' } } }] } }],
      },
    }),
  ).toEqual([
    'routes_to services shop/web',
    'uses secrets shop/cert',
    'uses ingressclasses.networking.k8s.io /nginx',
  ])
})

test('autoscalers, bindings, volumes, claims and webhooks refer to what they are for', () => {
  expect(
    names('horizontalpodautoscalers.autoscaling', {
      metadata,
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' } },
    }),
  ).toEqual(['scales deployments.apps shop/web'])
  expect(
    names('rolebindings.rbac.authorization.k8s.io', {
      metadata,
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'ServiceAccount', name: 'ci' },
        { kind: 'User', name: 'ada' },
      ],
    }),
  ).toEqual(['grants clusterroles.rbac.authorization.k8s.io /view', 'grants_to serviceaccounts shop/ci'])
  expect(
    names('persistentvolumes', {
      spec: { claimRef: { namespace: 'shop', name: 'data' }, storageClassName: '' },
    }),
  ).toEqual(['bound_to persistentvolumeclaims shop/data'])
  expect(
    names('persistentvolumeclaims', { metadata, spec: { volumeName: 'pv', storageClassName: 'fast' } }),
  ).toEqual(['bound_to persistentvolumes /pv', 'uses storageclasses.storage.k8s.io /fast'])
  expect(
    names('validatingwebhookconfigurations.admissionregistration.k8s.io', {
      webhooks: [{ name: 'check', clientConfig: { service: { namespace: 'system', name: 'hook' } } }],
    }),
  ).toEqual(['calls services system/hook'])
})

test('whatever an object holds, reading its references never fails, and there are at most 100', () => {
  expect(names('pods', { spec: { volumes: 'no list', containers: [null, 3, { env: {} }] } })).toEqual([])
  const volumes = Array.from({ length: 300 }, (_, index) => ({ configMap: { name: `m${index}` } }))
  expect(names('pods', { metadata, spec: { volumes } })).toHaveLength(100)
})

test('selectors match as Kubernetes matches them', () => {
  const labels = { app: 'web', tier: 'front' }
  expect(selects({}, labels)).toBe(true)
  expect(selects(undefined, labels)).toBe(false)
  expect(selects({ matchLabels: { app: 'web' } }, labels)).toBe(true)
  expect(selects({ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['back'] }] }, labels)).toBe(
    true,
  )
  expect(selects({ matchExpressions: [{ key: 'old', operator: 'Exists' }] }, labels)).toBe(false)
  expect(selectsPlainly({}, labels)).toBe(false)
  expect(selectsPlainly({ app: 'web' }, labels)).toBe(true)
  expect(
    selectorQuery({ matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'DoesNotExist' }] }),
  ).toBe('a=b,!c')
})

test('who uses a config map is found among pods and templates, and whatever scales a workload among autoscalers', () => {
  const subject = { resource: 'configmaps', kind: 'ConfigMap', namespace: 'shop', name: 'm' }
  const [pods] = lookUpsFor(subject, { metadata })
  const using = { metadata, spec: { volumes: [{ name: 'v', configMap: { name: 'm' } }] } }
  expect(pods?.match(using)).toBe('volume v')
  expect(pods?.match({ metadata, spec: {} })).toBe(false)
  const web = { resource: 'deployments.apps', kind: 'Deployment', namespace: 'shop', name: 'web' }
  const scaled = lookUpsFor(web, { metadata }).find(({ relation }) => relation === 'scaled_by')
  const autoscaler = (name: string) => ({
    spec: { scaleTargetRef: { kind: 'Deployment', name }, maxReplicas: 9 },
    status: { currentReplicas: 3 },
  })
  expect(scaled?.match(autoscaler('web'))).toBe('3 of 1–9')
  expect(scaled?.match(autoscaler('api'))).toBe(false)
})
