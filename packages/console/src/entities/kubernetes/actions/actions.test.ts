import { expect, test } from 'vitest'
import type { ActionInput, ActionTarget, RequestAction } from './action.ts'
import type { ActionObject } from './action-object.ts'
import { actionsFor, objectActions } from './action-table.ts'
import { deleteLine, deleteRequest, labelLines, labelsRequest } from './any-object-actions.ts'
import { expand } from './claim-actions.ts'
import { retry, suspend, trigger } from './job-actions.ts'
import { cordon, drainLine } from './node-actions.ts'
import { debug, evict } from './pod-actions.ts'
import { pause, restart, resume, scale, setImage } from './workload-actions.ts'

const now = new Date('2026-11-22T08:00:00Z')
const resources = {
  deployment: { resource: 'deployments.apps', kind: 'Deployment', group: 'apps', plural: 'deployments' },
  pod: { resource: 'pods', kind: 'Pod', group: '', plural: 'pods' },
  node: { resource: 'nodes', kind: 'Node', group: '', plural: 'nodes' },
  job: { resource: 'jobs.batch', kind: 'Job', group: 'batch', plural: 'jobs' },
  cronJob: { resource: 'cronjobs.batch', kind: 'CronJob', group: 'batch', plural: 'cronjobs' },
  claim: {
    resource: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    group: '',
    plural: 'persistentvolumeclaims',
  },
}

function target(kind: keyof typeof resources, object: ActionObject = {}, namespace = 'shop'): ActionTarget {
  return {
    clusterId: 7,
    clusterTitle: 'prod',
    resource: { ...resources[kind], version: 'v1', verbs: [] },
    namespace,
    name: 'web',
    object,
  }
}
const given = (of: ActionTarget, found?: ActionObject): ActionInput => ({ target: of, found, now })
const only = (action: RequestAction, input: ActionInput, values = {}) => {
  const requests = action.requests(input, values)
  expect(requests).toHaveLength(1)
  return requests[0]
}

test('scale patches the scale subresource alone', () => {
  const input = given(target('deployment', { spec: { replicas: 2 } }))
  expect(only(scale, input, { replicas: '5' })).toEqual({
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/shop/deployments/web/scale',
    contentType: 'application/merge-patch+json',
    body: { spec: { replicas: 5 } },
  })
  expect(scale.kubectl(input, { replicas: '5' })).toBe(
    'kubectl --context bey-prod -n shop scale deployment/web --replicas=5',
  )
})

test('where an autoscaler owns the pods, scale sets its minimum', () => {
  const autoscaler: ActionObject = {
    metadata: { name: 'web-hpa' },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 9 },
  }
  const other = { ...autoscaler, spec: { scaleTargetRef: { kind: 'Deployment', name: 'api' } } }
  const input = given(target('deployment'), { items: [other, autoscaler] })
  expect(scale.fields?.(input)).toMatchObject([{ name: 'minimum', initial: '2' }])
  expect(scale.notes?.(input)[0]).toContain('keeps between 2 and 9 pods')
  expect(only(scale, input, { minimum: '4' })).toMatchObject({
    path: '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web-hpa',
    body: { spec: { minReplicas: 4 } },
  })
  expect(scale.kubectl(input, { minimum: '4' })).toBe(
    `kubectl --context bey-prod -n shop patch hpa/web-hpa -p '{"spec":{"minReplicas":4}}'`,
  )
})

test('what a controller sets is scaled there', () => {
  const owned = { metadata: { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] } }
  expect(scale.refusal?.(target('deployment', owned))).toContain('Deployment "web"')
})

test('restart marks the template with the time, and asks above 10 pods', () => {
  const input = given(target('deployment', { spec: { replicas: 10 } }))
  expect(only(restart, input)?.body).toEqual({
    spec: {
      template: {
        metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-22T08:00:00.000Z' } },
      },
    },
  })
  expect(restart.notes?.(input)).toEqual([])
  expect(restart.notes?.(given(target('deployment', { spec: { replicas: 11 } })))).toHaveLength(1)
  expect(restart.refusal?.(target('deployment', { spec: { paused: true } }))).toContain('paused')
})

test('pause and resume offer only what changes something', () => {
  const paused = target('deployment', { spec: { paused: true } })
  expect([pause.refusal?.(paused), resume.refusal?.(paused)]).toEqual([
    'Its rollout is already paused.',
    undefined,
  ])
  expect(only(resume, given(paused))?.body).toEqual({ spec: { paused: null } })
  expect(pause.kubectl(given(paused), {})).toBe(
    'kubectl --context bey-prod -n shop rollout pause deployment/web',
  )
})

test('set image sends the containers that change, merged by their names', () => {
  const containers = [
    { name: 'app', image: 'app:1' },
    { name: 'proxy', image: 'proxy:1' },
  ]
  const input = given(target('deployment', { spec: { template: { spec: { containers } } } }))
  const values = { 'image-app': ' app:2 ', 'image-proxy': 'proxy:1' }
  expect(only(setImage, input, values)).toMatchObject({
    contentType: 'application/strategic-merge-patch+json',
    body: { spec: { template: { spec: { containers: [{ name: 'app', image: 'app:2' }] } } } },
  })
  expect(setImage.kubectl(input, values)).toBe(
    'kubectl --context bey-prod -n shop set image deployment/web app=app:2',
  )
})

test('labels are changed by key, and the words of values are quoted for the shell', () => {
  const of = target('deployment')
  expect(labelsRequest(of, { team: 'shop', old: null }, {}).body).toEqual({
    metadata: { labels: { team: 'shop', old: null } },
  })
  expect(labelLines(of, { team: 'shop', old: null }, { note: "it's $HOME" })).toBe(
    [
      'kubectl --context bey-prod -n shop label deployment/web team=shop old- --overwrite',
      `kubectl --context bey-prod -n shop annotate deployment/web 'note=it'\\''s $HOME' --overwrite`,
    ].join('\n'),
  )
})

test('a deletion names this very object and what happens to what it owns', () => {
  const of = target('pod', { metadata: { uid: 'u1' } })
  expect(deleteRequest(of, 'Foreground')).toEqual({
    method: 'DELETE',
    path: '/api/v1/namespaces/shop/pods/web',
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u1' },
    },
  })
  expect(deleteLine(of, 'Orphan')).toBe('kubectl --context bey-prod -n shop delete pod/web --cascade=orphan')
})

test('nodes belong to no namespace', () => {
  const of = target('node', {}, '')
  expect(only(cordon, given(of))).toMatchObject({
    path: '/api/v1/nodes/web',
    body: { spec: { unschedulable: true } },
  })
  expect(cordon.kubectl(given(of), {})).toBe('kubectl --context bey-prod cordon web')
  const choices = { force: true, deleteEmptyDirData: false, timeoutSeconds: 300 }
  expect(drainLine('prod', 'web', choices)).toBe(
    'kubectl --context bey-prod drain web --ignore-daemonsets --force --timeout=300s',
  )
})

test('an eviction is a document, to the cluster and to the shell', () => {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web', namespace: 'shop' } }
  const input = given(target('pod'))
  expect(only(evict, input)).toEqual({
    method: 'POST',
    path: '/api/v1/namespaces/shop/pods/web/eviction',
    body,
  })
  expect(evict.kubectl(input, {})).toBe(
    `kubectl --context bey-prod create --raw /api/v1/namespaces/shop/pods/web/eviction -f - <<'EOF'\n${JSON.stringify(body)}\nEOF`,
  )
})

test('debug adds a container and leads to its terminal', () => {
  const input = given(target('pod', { spec: { containers: [{ name: 'app' }] } }))
  const values = { image: 'busybox:1.37', container: 'app', name: 'debugger-x' }
  expect(only(debug, input, values)).toMatchObject({
    path: '/api/v1/namespaces/shop/pods/web/ephemeralcontainers',
    body: {
      spec: {
        ephemeralContainers: [{ name: 'debugger-x', image: 'busybox:1.37', targetContainerName: 'app' }],
      },
    },
  })
  expect(debug.kubectl(input, values)).toBe(
    'kubectl --context bey-prod -n shop debug -it pod/web --image=busybox:1.37 --target=app --container=debugger-x',
  )
  expect(debug.next?.(input, values)).toBe(
    '/kubernetes/clusters/7/objects/pods/shop/web?tab=terminal&container=debugger-x',
  )
})

test('a cron job started by hand owns its job, which is marked as manual', () => {
  const of = target('cronJob', {
    metadata: { uid: 'c1' },
    spec: { jobTemplate: { metadata: { labels: { app: 'web' } }, spec: { backoffLimit: 1 } } },
  })
  expect(only(trigger, given(of), { name: 'web-now' })).toMatchObject({
    path: '/apis/batch/v1/namespaces/shop/jobs',
    body: {
      metadata: {
        name: 'web-now',
        labels: { app: 'web' },
        annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' },
        ownerReferences: [{ kind: 'CronJob', name: 'web', uid: 'c1', controller: true }],
      },
      spec: { backoffLimit: 1 },
    },
  })
  expect(trigger.kubectl(given(of), { name: 'web-now' })).toBe(
    'kubectl --context bey-prod -n shop create job web-now --from=cronjob/web',
  )
  expect(only(suspend, given(of))?.body).toEqual({ spec: { suspend: true } })
})

test('a job run again leaves out what ties the pods to the first one', () => {
  const ties = { 'controller-uid': 'u', 'batch.kubernetes.io/job-name': 'web' }
  const of = target('job', {
    metadata: { labels: { app: 'web', ...ties } },
    spec: {
      selector: { matchLabels: { 'controller-uid': 'u' } },
      template: { metadata: { labels: { app: 'web', ...ties } }, spec: { containers: [{ name: 'c' }] } },
    },
  })
  const body = JSON.parse(JSON.stringify(only(retry, given(of), { name: 'web-2' })?.body)) as object
  expect(body).toEqual({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'web-2', namespace: 'shop', labels: { app: 'web' } },
    spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c' }] } } },
  })
})

test('a claim grows only, and only where its class allows it', () => {
  const of = target('claim', {
    spec: { storageClassName: 'fast', resources: { requests: { storage: '10Gi' } } },
    status: { phase: 'Bound' },
  })
  const problem = expand.fields?.(given(of))[0]?.problem
  expect([problem?.('20Gi'), problem?.('10Gi'), problem?.('much')]).toEqual([
    undefined,
    'Enter more than 10Gi.',
    'Write a quantity such as 20Gi or 500G.',
  ])
  expect(expand.foundRefusal?.(given(of, { allowVolumeExpansion: false }))).toContain('"fast" does not allow')
  expect(expand.foundRefusal?.(given(of, { allowVolumeExpansion: true }))).toBeUndefined()
  expect(only(expand, given(of), { size: '20Gi' })?.body).toEqual({
    spec: { resources: { requests: { storage: '20Gi' } } },
  })
})

test('every object can be labelled and deleted, and no two actions share an id', () => {
  expect(actionsFor('widgets.example.com').map(({ id }) => id)).toEqual(['labels', 'delete'])
  expect(new Set(objectActions.map(({ id }) => id)).size).toBe(objectActions.length)
})
