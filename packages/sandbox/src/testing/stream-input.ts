import { WebSocket } from 'ws'
import type { Sandbox } from '../sandbox.ts'

/** Opens exec or attach at `path`, sends `input`, closes stdin, and answers what was written to stdout until the end. */
export async function streamInput(sandbox: Sandbox, path: string, input: string): Promise<string> {
  const url = `${sandbox.url.replace('https', 'wss')}${path}`
  const headers = { authorization: `Bearer ${sandbox.adminToken}` }
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], { ca: sandbox.caPem, headers })
  let text = ''
  socket.on('message', (data: Buffer) => {
    if (data[0] === 1) text += data.subarray(1).toString()
  })
  socket.once('open', () => {
    socket.send(Buffer.from(`\0${input}`))
    socket.send(Buffer.from([255, 0]))
  })
  await new Promise((done) => socket.once('close', done))
  return text
}
