import type { BeyServer } from '../tools/bey-server.ts'

/** For `startBey`: its debugger takes any free port once it is asked for. */
export const debuggable = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' }

/** MB that a server started with `debuggable` holds after a full garbage collection, buffers included. */
export async function liveHeapMb({ pid, output }: BeyServer): Promise<number> {
  process.kill(pid, 'SIGUSR1')
  const address = await debuggerAddress(output)
  const socket = new WebSocket(address)
  await new Promise<unknown>((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The debugger of the server does not answer.')))
  })
  try {
    await ask(socket, 1, 'HeapProfiler.collectGarbage')
    const usage = await ask(socket, 2, 'Runtime.getHeapUsage')
    return ((usage['usedSize'] ?? 0) + (usage['backingStorageSize'] ?? 0)) / 1024 / 1024
  } finally {
    socket.close()
  }
}

async function debuggerAddress(output: () => string): Promise<string> {
  for (let attempts = 0; attempts < 200; attempts += 1) {
    const address = /Debugger listening on (ws:\S+)/.exec(output())?.[1]
    if (address !== undefined) return address
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('The server opened no debugger within 10 s.')
}

function ask(socket: WebSocket, id: number, method: string): Promise<Partial<Record<string, number>>> {
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data)) as { id?: number; result?: Partial<Record<string, number>> }
      if (answer.id !== id) return
      socket.removeEventListener('message', hear)
      resolve(answer.result ?? {})
    }
    socket.addEventListener('message', hear)
    socket.send(JSON.stringify({ id, method }))
  })
}
