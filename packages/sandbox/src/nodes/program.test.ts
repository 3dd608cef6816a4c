import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAt, textAt, type JsonObject } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

type Given = Record<string, unknown>

async function give(name: string, container: Given, spec: Given = {}): Promise<void> {
  const reply = await sandbox.call('POST', podsPath, {
    metadata: { name },
    spec: { ...spec, containers: [{ name: 'c', image: 'busybox:1.37', ...container }] },
  })
  expect(reply.text).not.toContain('"Failure"')
}

const sh = (script: string) => ({ command: ['/bin/sh', '-c', script] })
const once = { restartPolicy: 'Never' }

function running(name: string): Promise<JsonObject> {
  return sandbox.until(`${podsPath}/${name}`, (body) => textAt(body, 'status', 'phase') === 'Running')
}

function over(name: string): Promise<JsonObject> {
  return sandbox.until(`${podsPath}/${name}`, (body) =>
    ['Succeeded', 'Failed'].includes(textAt(body, 'status', 'phase') ?? ''),
  )
}

async function log(name: string, query = ''): Promise<string> {
  return (await sandbox.call('GET', `${podsPath}/${name}/log?${query}`)).text
}

function state(pod: JsonObject): unknown {
  return listAt(pod, 'status', 'containerStatuses')[0]
}

async function events(name: string): Promise<string[]> {
  const { body } = await sandbox.call(
    'GET',
    `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=${name}`,
  )
  return listAt(body, 'items').map((one) => `${textAt(one, 'reason')}: ${textAt(one, 'message')}`)
}

test('a loop that counts logs each turn at its time', async () => {
  await give('counter', sh('i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done'))
  await running('counter')
  sandbox.clock.advance(3500)
  const lines = (await log('counter')).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThanOrEqual(4)
  expect(lines[0]).toMatch(/^0: Wed Jan {2}1 00:00:\d\d UTC 2025$/)
  expect(lines.map((line) => Number(line.split(':')[0]))).toEqual(lines.map((_line, i) => i))
  const timed = (await log('counter', 'timestamps=true')).trimEnd().split('\n')
  const times = timed.map((line) => Date.parse(line.split(' ')[0] ?? ''))
  expect(times.map((time, i) => time - (times[0] ?? 0) - i * 1000)).toEqual(times.map(() => 0))
  expect((await log('counter', 'tailLines=1')).split(':')[0]).toBe(String(lines.length - 1))
  sandbox.clock.advance(60_000)
  expect((await log('counter')).trimEnd().split('\n')).toHaveLength(lines.length + 60)
  await sandbox.call('DELETE', `${podsPath}/counter?gracePeriodSeconds=0`)
})

test('a command has the environment of its container, and its exit code decides', async () => {
  const env = [
    { name: 'WHO', value: 'world' },
    { name: 'AT', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ]
  await give('hello', { env, ...sh('echo $WHO at $AT') }, once)
  expect(textAt(await over('hello'), 'status', 'phase')).toBe('Succeeded')
  expect(await log('hello')).toBe('world at hello\n')
  await give('direct', { env, command: ['echo'], args: ['$(WHO)', '$$(WHO)', '$(NOBODY)'] }, once)
  await over('direct')
  expect(await log('direct')).toBe('world $(WHO) $(NOBODY)\n')
  await give('seven', sh('echo out; echo err >&2; cat /nowhere; exit 7'), once)
  const pod = await over('seven')
  expect(state(pod)).toMatchObject({ state: { terminated: { exitCode: 7, reason: 'Error' } } })
  expect(await log('seven')).toBe("out\nerr\ncat: can't open '/nowhere': No such file or directory\n")
})

test('a program that fails starts again, and the run before keeps its log', async () => {
  await give('again', sh('echo run; sleep 2; exit 3'))
  await sandbox.until(`${podsPath}/again`, (body) => JSON.stringify(body).includes('CrashLoopBackOff'))
  const { body } = await sandbox.call('GET', `${podsPath}/again`)
  expect(state(body)).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 3 } } })
  expect(await log('again', 'previous=true')).toBe('run\n')
})

test('what a program says of its end is in its status', async () => {
  await give('told', sh('echo because > /dev/termination-log; exit 1'), once)
  expect(state(await over('told'))).toMatchObject({ state: { terminated: { message: 'because\n' } } })
})

test('containers of a pod share what they write into an emptyDir', async () => {
  const volumeMounts = [{ name: 'logs', mountPath: '/var/log/app' }]
  const spec = {
    volumes: [{ name: 'logs', emptyDir: {} }],
    containers: [
      {
        name: 'writer',
        image: 'busybox',
        volumeMounts,
        args: ['/bin/sh', '-c', 'while true; do date >> /var/log/app/1.log; sleep 1; done'],
      },
      {
        name: 'reader',
        image: 'busybox',
        volumeMounts,
        args: ['/bin/sh', '-c', 'tail -n+1 -F /var/log/app/1.log'],
      },
    ],
  }
  await sandbox.call('POST', podsPath, { metadata: { name: 'two' }, spec })
  await running('two')
  sandbox.clock.advance(5000)
  expect((await log('two', 'container=reader')).match(/UTC 2025/g)?.length).toBeGreaterThan(2)
  expect(await log('two', 'container=writer')).toBe('')
  await sandbox.call('DELETE', `${podsPath}/two?gracePeriodSeconds=0`)
})

const fault = (why: string) =>
  `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: ${why}: unknown`

test('a command that is not there fails as a runtime says', async () => {
  const path = fault('"/nosuch": stat /nosuch: no such file or directory')
  await give('nosuch', { command: ['/nosuch'] })
  const waiting = await sandbox.until(`${podsPath}/nosuch`, (body) =>
    JSON.stringify(body).includes('RunContainerError'),
  )
  expect(state(waiting)).toMatchObject({
    state: { waiting: { reason: 'RunContainerError', message: path } },
    lastState: { terminated: { exitCode: 128, reason: 'StartError', message: path } },
  })
  expect(await log('nosuch')).toBe('')
  await sandbox.until(`${podsPath}/nosuch`, (body) => JSON.stringify(body).includes('CrashLoopBackOff'))
  expect(await events('nosuch')).toContain(`Failed: Error: ${path}`)
  await give('never', { image: 'nginx', command: ['serve'] }, once)
  expect(state(await over('never'))).toMatchObject({
    state: {
      terminated: {
        exitCode: 128,
        reason: 'StartError',
        message: fault('"serve": executable file not found in $PATH'),
        startedAt: '1970-01-01T00:00:00Z',
      },
    },
  })
  expect(await log('never')).toBe('')
  // Nobody knows what is in an image of one's own.
  await give('own', { image: 'example.com/app:1', command: ['/app/serve', '--port=80'] })
  await running('own')
})

test('a liveness probe that runs a command restarts the container when it fails', async () => {
  const exec = { command: ['cat', '/tmp/healthy'] }
  await give('liveness', {
    ...sh('touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600'),
    livenessProbe: { exec, initialDelaySeconds: 5, periodSeconds: 5 },
  })
  await running('liveness')
  sandbox.clock.advance(25_000)
  expect(await events('liveness')).not.toContainEqual(expect.stringContaining('Unhealthy'))
  const pod = await sandbox.until(`${podsPath}/liveness`, (body) =>
    JSON.stringify(body).includes('"restartCount":1'),
  )
  expect(state(pod)).toMatchObject({ lastState: { terminated: { exitCode: 137, reason: 'Error' } } })
  expect(await events('liveness')).toEqual(
    expect.arrayContaining([
      "Unhealthy: Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory",
      'Killing: Container c failed liveness probe, will be restarted',
    ]),
  )
})

test('a readiness probe that runs a command decides whether the pod is ready', async () => {
  const exec = { command: ['test', '-f', '/tmp/ready'] }
  await give('readiness', {
    ...sh('sleep 20; touch /tmp/ready; sleep 20; rm /tmp/ready; sleep 600'),
    readinessProbe: { exec, periodSeconds: 2, failureThreshold: 1 },
  })
  await running('readiness')
  sandbox.clock.advance(10_000)
  expect(state((await sandbox.call('GET', `${podsPath}/readiness`)).body)).toMatchObject({ ready: false })
  sandbox.clock.advance(15_000)
  expect(state((await sandbox.call('GET', `${podsPath}/readiness`)).body)).toMatchObject({ ready: true })
  sandbox.clock.advance(20_000)
  expect(state((await sandbox.call('GET', `${podsPath}/readiness`)).body)).toMatchObject({ ready: false })
})
