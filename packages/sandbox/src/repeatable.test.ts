import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manualClock } from './manual-clock.ts'
import {
  deployment,
  deploymentsPath,
  podsPath,
  temporaryDirectory,
  testSandbox,
} from './testing/test-sandbox.ts'

test('a clock moved by hand does what is due in order of time, and nothing that was cancelled', () => {
  const clock = manualClock(0)
  const heard: string[] = []
  const say = (name: string) => () => void heard.push(`${name} ${clock.now()}`)
  for (const delayMs of [30, 10, 50, 20, 40, 10]) clock.after(delayMs, say(String(delayMs)))
  clock.after(15, () => {
    say('first')()
    clock.soon(say('soon'))
    clock.after(1, say('second'))
  })
  clock.after(12, say('cancelled'))()
  clock.advance(35)
  expect(heard).toEqual(['10 10', '10 10', 'first 15', 'soon 15', 'second 16', '20 20', '30 30'])
  clock.advance(0)
  expect(clock.now()).toBe(35)
})

/** What a day with trouble leaves behind, object by object. */
async function play(identityFrom: string): Promise<string[]> {
  const dir = temporaryDirectory()
  copyFileSync(join(identityFrom, 'identity.json'), join(dir, 'identity.json'))
  const sandbox = await testSandbox({ dir })
  await sandbox.addNodes([{ name: 'worker', count: 3 }])
  await sandbox.call('POST', deploymentsPath, deployment('web', 4))
  await sandbox.call('POST', deploymentsPath, deployment('broken', 2, 'crash:1'))
  await sandbox.call('POST', deploymentsPath, deployment('lost', 1, 'nonexistent:1'))
  await sandbox.call('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name: 'tick' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'busybox' }] } },
        },
      },
    },
  })
  sandbox.clock.advance(90_000)
  await sandbox.call('PUT', `${deploymentsPath}/web`, deployment('web', 3, 'nginx:1.30'))
  await sandbox.call('POST', '/sandbox/v1/chaos', { node: 'test-worker-2', action: 'stop' })
  sandbox.clock.advance(400_000)
  const paths = [
    podsPath,
    '/api/v1/events',
    '/api/v1/nodes',
    '/api/v1/endpoints',
    '/api/v1/configmaps',
    '/apis/apps/v1/replicasets',
    '/apis/apps/v1/deployments',
    '/apis/batch/v1/jobs',
    '/apis/coordination.k8s.io/v1/leases',
    '/apis/metrics.k8s.io/v1beta1/pods',
  ]
  const texts: string[] = []
  for (const path of paths) texts.push((await sandbox.call('GET', path)).text)
  await sandbox.remove()
  return texts
}

test('the same seed and the same steps make the same objects, names and events', async () => {
  const first = await testSandbox({ nodes: [] })
  await first.stop()
  const once = await play(first.dir)
  expect(once.join('')).toContain('CrashLoopBackOff')
  expect(once.join('')).toContain('TaintManagerEviction')
  expect(await play(first.dir)).toEqual(once)
  rmSync(first.dir, { recursive: true, force: true })
})
