import { PassThrough } from 'node:stream'
import {
  AppsV1Api,
  CoreV1Api,
  Exec,
  KubeConfig,
  KubernetesObjectApi,
  Log,
  Metrics,
  PatchStrategy,
  makeInformer,
  type V1Pod,
  type V1Status,
} from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployment, deploymentsPath, liveSandbox, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
const config = new KubeConfig()

beforeAll(async () => {
  sandbox = await liveSandbox()
  config.loadFromString(sandbox.kubeconfig())
})
afterAll(() => sandbox.remove())

test('an informer of the JavaScript client hears of pods as they come and become ready', async () => {
  const core = config.makeApiClient(CoreV1Api)
  const path = '/api/v1/namespaces/default/pods'
  const informer = makeInformer(config, path, () => core.listNamespacedPod({ namespace: 'default' }))
  const ready = new Promise<string>((done) => {
    informer.on('update', (pod: V1Pod) => {
      if (pod.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'))
        done(pod.metadata?.name ?? '')
    })
  })
  await informer.start()
  await core.createNamespacedPod({
    namespace: 'default',
    body: { metadata: { name: 'heard' }, spec: { containers: [{ name: 'a', image: 'nginx' }] } },
  })
  expect(await ready).toBe('heard')
  await informer.stop()
})

test('exec, logs and metrics work through the client', async () => {
  await sandbox.until('/api/v1/namespaces/default/pods/heard', (pod) =>
    JSON.stringify(pod).includes('"ready":true'),
  )
  const out = new PassThrough()
  const text = new Promise<string>((done) => out.once('data', (part: Buffer) => done(part.toString())))
  const status = await new Promise<V1Status>((done, fail) => {
    new Exec(config).exec('default', 'heard', 'a', ['hostname'], out, null, null, false, done).catch(fail)
  })
  expect(status.status).toBe('Success')
  expect(await text).toBe('heard\n')
  const log = new PassThrough()
  const line = new Promise<string>((done) => log.once('data', (part: Buffer) => done(part.toString())))
  await new Log(config).log('default', 'heard', 'a', log, { tailLines: 1 })
  // Which one is the last depends on how long the program has run.
  expect(await line).toMatch(/^\S.*\n$/)
  const metrics = await new Metrics(config).getPodMetrics('default')
  expect(metrics.items.map((item) => item.metadata.name)).toContain('heard')
})

test('typed and untyped writes go through', async () => {
  await sandbox.call('POST', deploymentsPath, deployment('typed'))
  const apps = config.makeApiClient(AppsV1Api)
  const found = await apps.readNamespacedDeployment({ name: 'typed', namespace: 'default' })
  expect(found.spec?.template.spec?.containers[0]?.terminationMessagePath).toBe('/dev/termination-log')
  await apps.replaceNamespacedDeploymentScale({
    name: 'typed',
    namespace: 'default',
    body: { metadata: { name: 'typed', namespace: 'default' }, spec: { replicas: 3 } },
  })
  const objects = KubernetesObjectApi.makeApiClient(config)
  const read = await objects.read({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'typed', namespace: 'default' },
  })
  expect(read).toMatchObject({ spec: { replicas: 3 } })
})

test('server-side apply goes through the client, and a conflict is reported', async () => {
  const objects = KubernetesObjectApi.makeApiClient(config)
  const spec = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied', namespace: 'default' } }
  const apply = (manager: string, value: string, force = false) =>
    objects.patch(
      { ...spec, data: { key: value } },
      undefined,
      undefined,
      manager,
      force,
      PatchStrategy.ServerSideApply,
    )
  expect(await apply('one', 'a')).toMatchObject({ data: { key: 'a' } })
  await expect(apply('two', 'b')).rejects.toMatchObject({ code: 409 })
  expect(await apply('two', 'b', true)).toMatchObject({ data: { key: 'b' } })
})
