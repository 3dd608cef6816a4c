import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { textAt } from '../json.ts'
import { streamInput } from '../testing/stream-input.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
  await sandbox.call('POST', podsPath, {
    metadata: { name: 'box' },
    spec: { containers: [{ name: 'c', image: 'nginx' }] },
  })
  await sandbox.until(`${podsPath}/box`, (body) => textAt(body, 'status', 'phase') === 'Running')
})
afterAll(() => sandbox.remove())

/** What a command at a terminal writes until it ends, while somebody types. */
function outputOf(words: string[], typed = '', tty = 'true'): Promise<string> {
  const query = new URLSearchParams([
    ['stdin', 'true'],
    ['stdout', 'true'],
    ['tty', tty],
  ])
  for (const word of words) query.append('command', word)
  const url = `${sandbox.url.replace('https', 'wss')}${podsPath}/box/exec?${query.toString()}`
  const headers = { authorization: `Bearer ${sandbox.adminToken}` }
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], { ca: sandbox.caPem, headers })
  return new Promise((done, fail) => {
    let text = ''
    socket.once('message', () => {
      socket.send(Buffer.from('\x04{"Width":120,"Height":40}'))
      for (const key of typed) socket.send(Buffer.from(`\0${key}`))
    })
    socket.on('message', (data: Buffer) => {
      if (data[0] === 1) text += data.subarray(1).toString()
    })
    socket.on('close', () => done(text))
    socket.on('error', fail)
  })
}

test('a program at a terminal that reads nothing ends by itself', async () => {
  expect(await outputOf(['echo', 'hi'])).toBe('hi\r\n')
  expect(await outputOf(['sh', '-c', 'echo one; echo two'])).toBe('one\r\ntwo\r\n')
})

test('a program that reads nothing ends although its client keeps stdin open', async () => {
  expect(await outputOf(['echo', 'hi'], '', 'false')).toBe('hi\n')
  expect(await outputOf(['cat', '/etc/hostname'], '', 'false')).toBe('box\n')
  expect(await outputOf(['sh', '-c', 'echo one | cat; ls /etc/hostname'], '', 'false')).toBe(
    'one\n/etc/hostname\n',
  )
})

test('one that reads what is typed ends with control-D', async () => {
  expect(await outputOf(['cat'], 'typed\n\x04')).toBe('typed\r\n')
})

test('who asks for a container that is not there gets an answer that says so, whatever the protocol', async () => {
  const { body } = await sandbox.call('POST', `${podsPath}/box/exec?container=none&command=ls`, undefined, {
    connection: 'Upgrade',
    upgrade: 'SPDY/3.1',
  })
  expect(textAt(body, 'message')).toBe('container none is not valid for pod box')
})

test('a shell at a terminal knows which, and how large it is', async () => {
  const said = await outputOf(['sh'], 'stty size; tty; echo $TERM; exit\r')
  expect(said).toContain('40 120\r\n/dev/pts/0\r\nxterm\r\n')
})

test('a client in Python, whose flags are `True` and `False`, sends input and gets output', async () => {
  const query = 'command=cat&stdin=True&stdout=True&stderr=True&tty=False'
  const text = await streamInput(sandbox, `${podsPath}/box/exec?${query}`, 'over\n')
  expect(text).toBe('over\n')
})
