import { writeSync } from 'node:fs'
import type { Debugger } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { workerData } from 'node:worker_threads'

// The thread of `watchForStandstill`.

type Shared = { shared: SharedArrayBuffer; silentMs: number }

const { shared, silentMs } = workerData as Shared
const counts = new Int32Array(shared, 0, 2)
const stackWithinMs = 5_000

let last = -1
for (;;) {
  const count = Atomics.load(counts, 0)
  if (count !== last) {
    last = count
    Atomics.wait(counts, 0, count, silentMs)
    continue
  }
  const text = Buffer.from(new Uint8Array(shared, 8, Atomics.load(counts, 1))).toString()
  writeSync(2, `The main thread stands still for ${silentMs} ms. Under way:\n${text}\n`)
  writeSync(2, `${await stackOfMainThread()}\n`)
  process.kill(process.pid, 'SIGKILL')
}

async function stackOfMainThread(): Promise<string> {
  const session = new Session()
  session.connectToMainThread()
  const paused = new Promise<string>((resolve) => {
    session.on('Debugger.paused', ({ params }) => resolve(linesOf(params.callFrames)))
    setTimeout(() => resolve('The main thread could not be paused'), stackWithinMs)
  })
  await session.post('Debugger.enable')
  void session.post('Debugger.pause')
  return paused
}

function linesOf(frames: readonly Debugger.CallFrame[]): string {
  return frames
    .map(
      ({ functionName, url, location }) =>
        `  at ${functionName || '(anonymous)'} ${url}:${location.lineNumber + 1}`,
    )
    .join('\n')
}
