import { expect, test } from 'vitest'
import { clusterRelations } from './cluster-relations.ts'
import { podEntry } from './watch/entries.ts'
import { ingressEntry } from './watch/ingress-entries.ts'
import type { Pod } from './watch/kube-types.ts'
import { policyEntry, serviceEntry } from './watch/network-entries.ts'
import { jobEntry, replicaEntry } from './watch/workload-entries.ts'

const inShop = (name: string) => ({ namespace: 'shop', name })
const owned = (kind: string, name: string) => ({ ownerReferences: [{ kind, name, controller: true }] })

const webPod = (name: string): Pod => ({
  metadata: { ...inShop(name), labels: { app: 'web' }, ...owned('ReplicaSet', 'web-5d9') },
  spec: {
    nodeName: 'node-1',
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'settings', configMap: { name: 'web-settings' } },
      { name: 'token', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }] } },
    ],
    containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'web-password' } } }] }],
  },
})

function relationsOf(tables: Record<string, readonly object[]>): string[] {
  const table = (kind: string) => new Map((tables[kind] ?? []).map((entry, index) => [String(index), entry]))
  // The tables hold what the kinds keep.
  return clusterRelations({ clusterId: 3, table } as never).map(
    ({ from, verb, to }) => `${from} ${verb} ${to}`,
  )
}

test('a pod belongs to the deployment above its replica set, and leads to all that it reads', () => {
  expect(
    relationsOf({
      pods: [podEntry(webPod('web-1'))],
      replicasets: [replicaEntry({ metadata: { ...inShop('web-5d9'), ...owned('Deployment', 'web') } })],
    }),
  ).toEqual([
    'pod:3.shop.web-1 owned_by deployment:3.shop.web',
    'pod:3.shop.web-1 runs_on node:3..node-1',
    'pod:3.shop.web-1 mounts volumeclaim:3.shop.data',
    'pod:3.shop.web-1 mounts configmap:3.shop.web-settings',
    'pod:3.shop.web-1 mounts k8s-secret:3.shop.web-password',
  ])
})

test('services and policies lead to workloads once, however many pods they have', () => {
  const relations = relationsOf({
    pods: ['web-1', 'web-2', 'web-3'].map((name) => podEntry(webPod(name))),
    replicasets: [replicaEntry({ metadata: { ...inShop('web-5d9'), ...owned('Deployment', 'web') } })],
    services: [
      serviceEntry({ metadata: inShop('web'), spec: { selector: { app: 'web' } } }),
      serviceEntry({ metadata: inShop('other'), spec: { selector: { app: 'other' } } }),
      serviceEntry({ metadata: { namespace: 'blog', name: 'web' }, spec: { selector: { app: 'web' } } }),
      serviceEntry({ metadata: inShop('without-selector'), spec: {} }),
    ],
    policies: [policyEntry({ metadata: inShop('all'), spec: { podSelector: {} } })],
  })
  expect(relations.filter((text) => text.startsWith('service') || text.includes('allowed_by'))).toEqual([
    'service:3.shop.web routes_to deployment:3.shop.web',
    'deployment:3.shop.web allowed_by networkpolicy:3.shop.all',
  ])
})

test('an ingress leads to its services and its certificate, a job to its cron job', () => {
  expect(
    relationsOf({
      'ingresses.networking.k8s.io': [
        ingressEntry({
          metadata: inShop('shop'),
          spec: {
            rules: [{ host: 'a.example', http: { paths: [{ backend: { service: { name: 'web' } } }] } }],
            tls: [{ hosts: ['a.example'], secretName: 'a-tls' }],
          },
        }),
      ],
      jobs: [jobEntry({ metadata: { ...inShop('nightly-1'), ...owned('CronJob', 'nightly') } })],
    }),
  ).toEqual([
    'job:3.shop.nightly-1 started_by cronjob:3.shop.nightly',
    'ingress:3.shop.shop routes_to service:3.shop.web',
    'ingress:3.shop.shop reads_secret k8s-secret:3.shop.a-tls',
  ])
})

test('a pod that has ended holds neither its node nor its volumes', () => {
  const ended = { ...webPod('web-1'), status: { phase: 'Succeeded' } }
  expect(relationsOf({ pods: [podEntry(ended)] })).toEqual([])
})
