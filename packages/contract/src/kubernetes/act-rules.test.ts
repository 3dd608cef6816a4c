import { expect, test } from 'vitest'
import { auditActionText, auditDidText } from '../audit/rules.ts'
import { kindWords, kubernetesActs, type KubernetesAct } from './act-rules.ts'

const web = 'deployments/shop/web'
const texts: Record<KubernetesAct, [object: string, text: string, tried: string]> = {
  create: ['configmaps/shop/app', 'created config map app', 'tried to create config map app'],
  update: [web, 'changed deployment web', 'tried to change deployment web'],
  patch: [web, 'changed deployment web', 'tried to change deployment web'],
  delete: ['pods/shop/web-1', 'deleted pod web-1', 'tried to delete pod web-1'],
  get: ['secrets/shop/db', 'read secret db', 'tried to read secret db'],
  restart: [web, 'restarted deployment web', 'tried to restart deployment web'],
  scale: ['statefulsets/shop/db', 'scaled stateful set db', 'tried to scale stateful set db'],
  rollback: [web, 'rolled back deployment web', 'tried to roll back deployment web'],
  pause: [web, 'paused deployment web', 'tried to pause deployment web'],
  resume: ['cronjobs/shop/nightly', 'resumed cron job nightly', 'tried to resume cron job nightly'],
  cordon: ['nodes//w-1', 'cordoned node w-1', 'tried to cordon node w-1'],
  uncordon: ['nodes//w-1', 'uncordoned node w-1', 'tried to uncordon node w-1'],
  drain: ['nodes//w-1', 'drained node w-1', 'tried to drain node w-1'],
  taint: ['nodes//w-1', 'changed the taints of node w-1', 'tried to change the taints of node w-1'],
  evict: ['pods/shop/web-1', 'evicted pod web-1', 'tried to evict pod web-1'],
  label: [web, 'changed the labels of deployment web', 'tried to change the labels of deployment web'],
  annotate: [
    web,
    'changed the annotations of deployment web',
    'tried to change the annotations of deployment web',
  ],
  set_image: [web, 'changed the image of deployment web', 'tried to change the image of deployment web'],
  resize: [
    'persistentvolumeclaims/shop/data',
    'resized persistent volume claim data',
    'tried to resize persistent volume claim data',
  ],
  apply: ['rollouts/shop/web', 'applied rollout web', 'tried to apply rollout web'],
  job: ['jobs/shop/once', 'ran job once', 'tried to run job once'],
  create_token: [
    'serviceaccounts/shop/ci',
    'made a token of service account ci',
    'tried to make a token of service account ci',
  ],
  exec: ['pods/shop/web-1', 'opened a shell in pod web-1', 'tried to open a shell in pod web-1'],
  attach: ['pods/shop/web-1', 'attached to pod web-1', 'tried to attach to pod web-1'],
  portforward: ['pods/shop/web-1', 'forwarded a port of pod web-1', 'tried to forward a port of pod web-1'],
  proxy: ['services/shop/web', 'opened a page of service web', 'tried to open a page of service web'],
  ephemeralcontainers: [
    'pods/shop/web-1',
    'added a debug container to pod web-1',
    'tried to add a debug container to pod web-1',
  ],
}

test.each(kubernetesActs)('%s of an object is said with its kind and name', (act) => {
  const [object, text, tried] = texts[act]
  const action = `kubernetes.${act}`
  expect(auditDidText({ action, object, outcome: 'success' })).toBe(text)
  expect(auditDidText({ action, object, outcome: 'unknown' })).toBe(text)
  expect(auditDidText({ action, object, outcome: 'denied' })).toBe(tried)
})

test('an act whose object is not known says so, and other entries are left alone', () => {
  expect(auditActionText('kubernetes.restart')).toBe('restarted a Kubernetes object')
  expect(auditActionText('kubernetes.deletecollection')).toBe('deleted several Kubernetes objects')
  expect(auditDidText({ action: 'kubernetes.get', object: null, outcome: 'success' })).toBe(
    'read a Kubernetes Secret',
  )
  expect(auditDidText({ action: 'secret.reveal', object: null, outcome: 'denied' })).toBe(
    'tried: revealed a secret',
  )
})

test.each([
  ['ingresses', 'ingress'],
  ['ingressclasses', 'ingressclass'],
  ['networkpolicies', 'network policy'],
  ['backuppolicies', 'backuppolicy'],
  ['rollouts', 'rollout'],
])('one of %s is a %s', (plural, words) => {
  expect(kindWords(plural)).toBe(words)
})
