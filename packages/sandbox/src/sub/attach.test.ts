import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { textAt } from '../json.ts'
import { streamInput } from '../testing/stream-input.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

async function givePod(name: string, script: string): Promise<void> {
  const containers = [{ name: 'a', image: 'busybox', command: ['sh', '-c', script] }]
  await sandbox.call('POST', podsPath, { metadata: { name }, spec: { restartPolicy: 'Never', containers } })
  await sandbox.until(`${podsPath}/${name}`, (body) => textAt(body, 'status', 'phase') === 'Running')
}

/** Attaches, lets time pass once the session has begun, and answers all that came on stdout until it ended. */
function heard(name: string, passMs: number): Promise<string> {
  const url = `${sandbox.url.replace('https', 'wss')}${podsPath}/${name}/attach?stdout=true`
  const headers = { authorization: `Bearer ${sandbox.adminToken}` }
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], { ca: sandbox.caPem, headers })
  return new Promise((done, fail) => {
    let text = ''
    socket.once('message', () => {
      sandbox.clock.advance(passMs)
      if (passMs === 0) socket.close()
    })
    socket.on('message', (data: Buffer) => {
      if (data[0] === 1) text += data.subarray(1).toString()
    })
    socket.on('close', () => done(text))
    socket.on('error', fail)
  })
}

test('anyone who attaches first hears what a program said before, and the next one only what is new', async () => {
  await givePod('early', 'echo one; echo two; sleep 600')
  sandbox.clock.advance(5000)
  expect(await heard('early', 0)).toBe('one\ntwo\n')
  expect(await heard('early', 0)).toBe('')
})

test('all that a program says comes before the session ends, however much it is', async () => {
  const lines = Array.from({ length: 200 }, (_none, i) => `line ${i}`)
  await givePod('late', `sleep 20; ${lines.map((line) => `echo ${line}`).join('; ')}`)
  expect(await heard('late', 60_000)).toBe(lines.map((line) => `${line}\n`).join(''))
  const log = await sandbox.call('GET', `${podsPath}/late/log`)
  expect(log.text.split('\n')).toHaveLength(201)
})

test('a program that waits for its input gets it, answers and ends', async () => {
  const containers = [{ name: 'a', image: 'busybox', args: ['sort'], stdin: true, stdinOnce: true }]
  const pod = { metadata: { name: 'reader' }, spec: { restartPolicy: 'Never', containers } }
  await sandbox.call('POST', podsPath, pod)
  await sandbox.until(`${podsPath}/reader`, (body) => textAt(body, 'status', 'phase') === 'Running')
  const text = await streamInput(sandbox, `${podsPath}/reader/attach?stdin=true&stdout=true`, 'b\na\n')
  expect(text).toBe('a\nb\n')
  await sandbox.until(`${podsPath}/reader`, (body) => textAt(body, 'status', 'phase') === 'Succeeded')
})
