import type { Cluster } from '../api/context.ts'
import { hasOwnPiece, lastLines, linesBetween, logSource, type LogSource } from '../nodes/container-logs.ts'
import type { LogLine } from '../nodes/program.ts'
import { statusesOf } from '../nodes/pod-status.ts'
import { Shell } from '../nodes/shell.ts'
import { pods, type Container } from '../types.ts'
import { collect, type ExecTarget } from './exec.ts'
import { isTrue } from '../api/request.ts'
import { channel, exitStatus, Session, type SessionSocket } from './session.ts'
import { interact, isShell } from './typing.ts'

const attachMs = 250

/** Runs that somebody has attached to; the oldest are forgotten. */
const attached = new WeakMap<Cluster, Set<string>>()
const rememberAtMost = 256

const readers = new Set(['cat', 'grep', 'head', 'sort', 'tail', 'wc'])

function isFirst(cluster: Cluster, { pod, container, run }: LogSource): boolean {
  const runs = attached.get(cluster) ?? new Set<string>()
  attached.set(cluster, runs)
  const id = `${pod.metadata.uid}/${container.name}/${run}`
  if (runs.has(id)) return false
  runs.add(id)
  const [oldest] = runs
  if (runs.size > rememberAtMost && oldest !== undefined) runs.delete(oldest)
  return true
}

/** Whether a program, such as `cat`, does nothing but wait for what somebody sends it. */
function waitsForInput(container: Container, words: readonly string[], shell: Shell): boolean {
  const [name = ''] = words
  return container.stdin === true && !container.tty && readers.has(name) && shell.has(name)
}

/**
 * Shows what the container's own program writes from now on; where that is a shell, it can be typed into. A program
 * that says its piece and ends does so before anybody can attach: anyone who comes first hears all of it, as with a real
 * program that is slow enough, so that `kubectl run -i` shows the same every time.
 */
export function serveAttach(socket: SessionSocket, { cluster, pod, container, query }: ExecTarget): void {
  const session = new Session(socket, isTrue(query, 'tty'))
  const words = [...(container.command ?? []), ...(container.args ?? [])]
  if (isTrue(query, 'stdin') && container.stdin && (words.length === 0 || isShell(words))) {
    const leave = (code: number) => cluster.endings.end(pod, container, code)
    return interact(socket, session, new Shell(cluster, pod, container), leave)
  }
  const shell = new Shell(cluster, pod, container)
  if (isTrue(query, 'stdin') && waitsForInput(container, words, shell)) {
    return collect(socket, (input) => {
      const result = shell.run(words, input)
      session.show(result)
      session.end(exitStatus(result.code))
      cluster.endings.end(pod, container, result.code)
    })
  }
  const status = statusesOf(pod.status).find((one) => one.name === container.name)
  const source = logSource(cluster, pod, container, status, false)
  if (!source) return session.end(exitStatus(0))
  let saidMs = hasOwnPiece(source) && isFirst(cluster, source) ? source.startedMs : cluster.clock.now()
  let cancel: () => void = () => undefined
  const show = (lines: LogLine[]) => {
    for (const { text } of lines) session.send(channel.stdout, `${text}\n`)
  }
  const say = () => {
    const nowMs = cluster.clock.now()
    const current = cluster.store.get(pods, pod.metadata.namespace, pod.metadata.name)
    const own = statusesOf(current?.status).find((one) => one.name === container.name)
    const isOver = current?.metadata.uid !== pod.metadata.uid || !own?.state?.running
    show(isOver ? lastLines(source, own, saidMs) : linesBetween(source, saidMs, nowMs))
    saidMs = nowMs
    if (isOver) return session.end(exitStatus(0))
    cancel = cluster.clock.after(attachMs, say)
  }
  say()
  socket.once('close', () => cancel())
}
