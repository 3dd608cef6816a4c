import type { WebSocket } from 'ws'
import type { Cluster } from '../api/context.ts'
import type { JsonObject } from '../json.ts'
import { linesBetween, logSource } from '../nodes/container-logs.ts'
import { Shell, type Result } from '../nodes/shell.ts'
import type { Container, Pod } from '../types.ts'

export const execProtocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
]

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const
const mostInputBytes = 64 * 1024 * 1024

export type ExecTarget = { cluster: Cluster; pod: Pod; container: Container; query: URLSearchParams }

function exitStatus(code: number): JsonObject {
  if (code === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  }
}

/** The two ends of a session in the frames of the channel protocol. */
class Session {
  readonly #socket: WebSocket
  readonly isTty: boolean

  constructor(socket: WebSocket, isTty: boolean) {
    this.#socket = socket
    this.isTty = isTty
    // A real server begins with an empty frame, and clients wait for it.
    this.send(channel.stdout, '')
  }

  send(to: number, data: string | Buffer): void {
    const bytes =
      typeof data === 'string' ? Buffer.from(this.isTty ? data.replaceAll(/\r?\n/g, '\r\n') : data) : data
    this.#socket.send(Buffer.concat([Buffer.from([to]), bytes]))
  }

  show({ out, error }: Result): void {
    if (out.length > 0) this.send(channel.stdout, this.isTty ? out.toString() : out)
    if (error !== '') this.send(this.isTty ? channel.stdout : channel.stderr, error)
  }

  end(status: JsonObject): void {
    this.#socket.send(Buffer.concat([Buffer.from([channel.error]), Buffer.from(JSON.stringify(status))]))
    this.#socket.close(1000)
  }
}

function isShell(words: readonly string[]): boolean {
  const name = words[0]?.split('/').at(-1) ?? ''
  return ['sh', 'bash', 'ash'].includes(name) && !words.some((word) => /^-\w*c/.test(word))
}

/** Runs a command in a simulated container over a WebSocket that is open. */
export function serveExec(socket: WebSocket, { cluster, pod, container, query }: ExecTarget): void {
  const words = query.getAll('command')
  const wants = (name: string) => query.get(name) === 'true' || query.get(name) === '1'
  const session = new Session(socket, wants('tty'))
  const shell = new Shell(cluster, pod, container)
  const name = words[0] ?? ''
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
  } else if (wants('stdin')) collect(socket, finish)
  else finish(Buffer.alloc(0))
}

/** Gathers all of stdin, then goes on. */
function collect(socket: WebSocket, finish: (input: Buffer) => void): void {
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
      if (socket.protocol !== execProtocols[0] && tail.length === 1024 && tail.every((byte) => byte === 0))
        end()
    } else if (data[0] === channel.close && data[1] === channel.stdin) end()
  })
}

const prompt = (shell: Shell) => `${shell.directory} # `

/** A shell that somebody types into. */
function interact(socket: WebSocket, session: Session, shell: Shell): void {
  let line = ''
  const execute = () => {
    const result = shell.script(line)
    line = ''
    session.show(result)
    if (shell.exitCode !== undefined) session.end(exitStatus(shell.exitCode))
    else if (session.isTty) session.send(channel.stdout, prompt(shell))
  }
  const type = (key: string) => {
    if (key === '\r' || key === '\n') {
      if (session.isTty) session.send(channel.stdout, '\n')
      execute()
    } else if (key === '\x04' && line === '') session.end(exitStatus(0))
    else if (key === '\x03') {
      line = ''
      session.send(channel.stdout, `^C\n${prompt(shell)}`)
    } else if (key === '\x7f' || key === '\b') {
      if (line !== '') session.send(channel.stdout, '\b \b')
      line = line.slice(0, -1)
    } else if (key >= ' ') {
      line += key
      if (session.isTty) session.send(channel.stdout, key)
    }
  }
  if (session.isTty) session.send(channel.stdout, prompt(shell))
  socket.on('message', (data: Buffer) => {
    if (data[0] === channel.stdin) {
      for (const key of data.subarray(1).toString().replaceAll('\r\n', '\n'))
        if (shell.exitCode === undefined) type(key)
    } else if (data[0] === channel.close && data[1] === channel.stdin && shell.exitCode === undefined) {
      if (line !== '') execute()
      if (shell.exitCode === undefined) session.end(exitStatus(0))
    }
  })
}

/** Shows what the container's own program writes from now on. */
export function serveAttach(socket: WebSocket, { cluster, pod, container, query }: ExecTarget): void {
  const session = new Session(socket, query.get('tty') === 'true')
  const status = pod.status?.containerStatuses?.find((one) => one.name === container.name)
  const source = logSource(pod, container, status, false)
  if (!source) return session.end(exitStatus(0))
  let saidMs = cluster.clock.now()
  let cancel: () => void = () => undefined
  const say = () => {
    const nowMs = cluster.clock.now()
    for (const { text } of linesBetween(source, saidMs, nowMs)) session.send(channel.stdout, `${text}\n`)
    saidMs = nowMs
    cancel = cluster.clock.after(1000, say)
  }
  say()
  socket.once('close', () => cancel())
}
