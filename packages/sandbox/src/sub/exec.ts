import type { Cluster } from '../api/context.ts'
import { Shell } from '../nodes/shell.ts'
import type { Container, Pod } from '../types.ts'
import { isTrue } from '../api/request.ts'
import { runHostProgram } from './host-program.ts'
import { readsInput } from './reads-input.ts'
import { channel, execProtocols, exitStatus, Session, type SessionSocket } from './session.ts'
import { interact, isShell } from './typing.ts'

const mostInputBytes = 64 * 1024 * 1024

export type ExecTarget = { cluster: Cluster; pod: Pod; container: Container; query: URLSearchParams }

/** Runs a command in a simulated container over a connection that is open. */
export function serveExec(socket: SessionSocket, { cluster, pod, container, query }: ExecTarget): void {
  const words = query.getAll('command')
  const wants = (name: string) => isTrue(query, name)
  const session = new Session(socket, wants('tty'))
  const shell = new Shell(cluster, pod, container)
  if (session.isTty) followTerminal(socket, shell)
  const name = words[0] ?? ''
  const hostProgram = Object.hasOwn(cluster.hostPrograms, name) ? cluster.hostPrograms[name] : undefined
  if (hostProgram !== undefined) return runHostProgram(socket, session, hostProgram, words.slice(1))
  if (!shell.has(name)) {
    const message = `Internal error occurred: error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: "${name}": executable file not found in $PATH: unknown`
    session.end({
      metadata: {},
      status: 'Failure',
      message,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    })
    return
  }
  if (isShell(words) && wants('stdin')) return interact(socket, session, shell)
  const finish = (input: Buffer) => {
    const result = shell.run(words, input)
    session.show(result)
    session.end(exitStatus(result.code))
  }
  const sleepSeconds = name.split('/').at(-1) === 'sleep' ? Number(words[1]) : 0
  if (sleepSeconds > 0) {
    const cancel = cluster.clock.after((sleepSeconds * 1000) / cluster.speed, () => finish(Buffer.alloc(0)))
    socket.once('close', cancel)
  } else if (wants('stdin') && readsInput(words)) collect(socket, finish)
  else finish(Buffer.alloc(0))
}

/** Tells a shell how large the terminal is that its client shows it in, whenever that changes. */
function followTerminal(socket: SessionSocket, shell: Shell): void {
  shell.openTerminal()
  socket.on('message', (data: Buffer) => {
    if (data[0] !== channel.resize) return
    const [, columns, rows] = /"Width":(\d{1,5}),"Height":(\d{1,5})/.exec(data.toString('latin1')) ?? []
    if (columns && rows) shell.terminal = { rows: Number(rows), columns: Number(columns) }
  })
}

/** Gathers all of stdin, then goes on. */
export function collect(socket: SessionSocket, finish: (input: Buffer) => void): void {
  const parts: Buffer[] = []
  let bytes = 0
  let isDone = false
  const end = () => {
    if (isDone) return
    isDone = true
    finish(Buffer.concat(parts))
  }
  socket.on('message', (data: Buffer) => {
    if (data[0] === channel.stdin) {
      bytes += data.length
      if (bytes > mostInputBytes) socket.close(1009)
      else parts.push(data.subarray(1))
      // tar says itself where it ends: two empty blocks. Older protocols cannot close stdin.
      const tail = Buffer.concat(parts.slice(-3)).subarray(-1024)
      // Control-D ends what is typed.
      if (data.length === 2 && data[1] === 4) {
        parts.pop()
        return end()
      }
      if (socket.protocol !== execProtocols[0] && tail.length === 1024 && tail.every((byte) => byte === 0))
        end()
    } else if (data[0] === channel.close && data[1] === channel.stdin) end()
  })
}
