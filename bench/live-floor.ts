import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../tools/source-files.ts'
import type { FloorCommand } from './bare-fan-out.ts'
import { cpuMs } from './process-figures.ts'

const warmUp = 20
const counted = 100
const atOnce = 50

/**
 * CPU that the same event costs a bare process for so many sockets, in milliseconds: as one write to each connection,
 * and as one message each of the `ws` library. The clients run here and are not counted.
 */
export async function cpuOfFloor(
  text: string,
  sockets: number,
): Promise<Record<FloorCommand['send'], number>> {
  const child = fork(join(root, 'bench/bare-fan-out.ts'), { env: { ...process.env, NODE_ENV: 'production' } })
  let arrived = 0
  let onAll = () => {}
  const onMessage = () => {
    arrived += 1
    if (arrived === sockets) onAll()
  }
  const emit = async (command: FloorCommand) => {
    arrived = 0
    const all = new Promise<void>((resolve) => (onAll = resolve))
    child.send(command)
    await all
  }
  const cpuPerEvent = async (command: FloorCommand) => {
    for (let event = 0; event < warmUp; event += 1) await emit(command)
    const before = cpuMs(child.pid ?? 0)
    for (let event = 0; event < counted; event += 1) await emit(command)
    return (cpuMs(child.pid ?? 0) - before) / counted
  }
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const open: WebSocket[] = []
    while (open.length < sockets) {
      const some = Math.min(atOnce, sockets - open.length)
      open.push(...(await Promise.all(Array.from({ length: some }, () => connect(port, onMessage)))))
    }
    return { bare: await cpuPerEvent({ send: 'bare', text }), ws: await cpuPerEvent({ send: 'ws', text }) }
  } finally {
    child.kill()
  }
}

async function connect(port: number, onMessage: () => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error('A socket to the bare process could not be opened'))
  })
  socket.onmessage = onMessage
  return socket
}
