import { hash } from '../random.ts'
import type { Container, ContainerStatus, Pod } from '../types.ts'
import type { Cluster } from '../api/context.ts'
import { behaviorOf } from './behavior.ts'
import { programOf, type LogLine, type Program } from './program.ts'

/** One container's run: the present one, or the one before. */
export type LogSource = {
  cluster: Cluster
  pod: Pod
  container: Container
  run: number
  startedMs: number
  endedMs: number | undefined
}

/** A running program says something in every slot of this length, or not. */
const slotMs = 4000
/** Logs rotate: older lines are gone. */
const keptMs = 6 * 60 * 60 * 1000
/** Times are whole seconds: what ended in the second it began in still had its say. */
const shortestRunMs = 1000

type Voice = { startup: readonly string[]; line(seed: number, timeMs: number): string }

const paths = [
  '/',
  '/healthz',
  '/api/items',
  '/api/items/42',
  '/login',
  '/static/app.css',
  '/favicon.ico',
  '/metrics',
]
const agents = ['kube-probe/1.33', 'Mozilla/5.0 (X11; Linux x86_64)', 'curl/8.14.1', 'Go-http-client/2.0']

function pick<T>(list: readonly T[], seed: number): T | undefined {
  return list[seed % list.length]
}

function client(seed: number): string {
  return `10.200.${seed % 3}.${2 + (seed % 200)}`
}

function nginxTime(timeMs: number): string {
  const date = new Date(timeMs).toUTCString()
  const [, day, month, year, clock] = date.split(' ')
  return `${day}/${month}/${year}:${clock} +0000`
}

const nginx: Voice = {
  startup: [
    '/docker-entrypoint.sh: /docker-entrypoint.d/ is not empty, will attempt to perform configuration',
    '/docker-entrypoint.sh: Launching /docker-entrypoint.d/20-envsubst-on-templates.sh',
    '/docker-entrypoint.sh: Configuration complete; ready for start up',
    'nginx: worker processes started',
  ],
  line: (seed, timeMs) =>
    `${client(seed)} - - [${nginxTime(timeMs)}] "GET ${pick(paths, seed >> 3)} HTTP/1.1" ${seed % 29 === 0 ? 404 : 200} ${100 + (seed % 4000)} "-" "${pick(agents, seed >> 7)}" "-"`,
}

const postgres: Voice = {
  startup: [
    'LOG:  starting PostgreSQL 17.6 on x86_64-pc-linux-gnu, 64-bit',
    'LOG:  listening on IPv4 address "0.0.0.0", port 5432',
    'LOG:  database system is ready to accept connections',
  ],
  line: (seed) =>
    seed % 3 === 0
      ? `LOG:  checkpoint complete: wrote ${seed % 90} buffers (0.${seed % 9}%); write=${seed % 4}.${seed % 1000} s`
      : `LOG:  duration: ${seed % 40}.${seed % 1000} ms  statement: select * from items where id = ${seed % 5000}`,
}

const redis: Voice = {
  startup: [
    '1:M * Running mode=standalone, port=6379.',
    '1:M * Server initialized',
    '1:M * Ready to accept connections tcp',
  ],
  line: (seed) => `1:M * ${seed % 100} changes in 300 seconds. Saving... DB saved on disk`,
}

const coredns: Voice = {
  startup: ['.:53', 'CoreDNS-1.12.3', 'linux/amd64, go1.24.6'],
  line: (seed) =>
    `[INFO] ${client(seed)}:${40_000 + (seed % 20_000)} - ${seed % 65_000} "A IN kubernetes.default.svc.cluster.local. udp 54 false 512" NOERROR qr,aa,rd 106 0.000${seed % 900}s`,
}

const system: Voice = {
  startup: ['Starting', 'Waiting for caches to sync', 'Caches are synced'],
  line: (seed) =>
    `${pick(['Reconciled', 'Synced', 'Observed no change in', 'Renewed lease of'], seed)} ${seed % 12} objects`,
}

const application: Voice = {
  startup: ['{"level":"info","msg":"starting"}', '{"level":"info","msg":"listening","port":8080}'],
  line(seed) {
    const level = seed % 41 === 0 ? 'warn' : 'info'
    const message = level === 'warn' ? 'slow request' : 'request'
    return `{"level":"${level}","msg":"${message}","method":"GET","path":"${pick(paths, seed)}","status":${seed % 37 === 0 ? 500 : 200},"durationMs":${level === 'warn' ? 800 + (seed % 900) : 1 + (seed % 60)}}`
  },
}

function voiceOf(pod: Pod, container: Container): Voice {
  const image = container.image ?? ''
  if (/nginx|httpd|apache/.test(image)) return nginx
  if (/postgres/.test(image)) return postgres
  if (/redis|valkey/.test(image)) return redis
  if (/coredns/.test(image)) return coredns
  if (pod.metadata.namespace === 'kube-system') return system
  return application
}

/** A program that a shell runs says what its script says and then keeps quiet. */
function isQuiet(container: Container): boolean {
  const [first = ''] = [...(container.command ?? []), ...(container.args ?? [])]
  return (
    /(^|\/)(sh|bash|ash|sleep|tail|pause|cat)$/.test(first) ||
    /(^|\/)(busybox|pause|alpine)(:|$)/.test(container.image ?? '')
  )
}

const startupGapMs = 40
/** What a program of its own has to say is said within the shortest time that a run is known to take. */
const openingMs = 900

/** The program of a run as far as it had come by then, or as it ended. */
function programAt(source: LogSource, timeMs: number): Program {
  const program = programOf(source.cluster, source)
  program.advance(source.endedMs ?? Math.min(timeMs, source.cluster.clock.now()))
  return program
}

/** The lines that a run has written in `[fromMs, toMs)`. The same question always has the same answer. */
export function linesBetween(source: LogSource, fromMs: number, toMs: number): LogLine[] {
  const { pod, container, run, startedMs, endedMs } = source
  // What never began wrote nothing.
  if (startedMs === 0) return []
  const behavior = behaviorOf(pod, container)
  if (!behavior) {
    const { lines } = programAt(source, toMs)
    const isPast = endedMs !== undefined
    return lines.filter(({ timeMs }) => timeMs >= fromMs && (isPast || timeMs < toMs))
  }
  // What has ended has said all that it had to say, also where its second is not yet over.
  const endMs = endedMs ?? toMs
  const own = hasOwnPiece(source)
  const voice = voiceOf(pod, container)
  const isTalking = !own && !isQuiet(container)
  const opening = own ? behavior.output : isTalking ? voice.startup : []
  const lines: LogLine[] = []
  const add = (timeMs: number, text: string) => {
    if (timeMs >= fromMs && timeMs < endMs) lines.push({ timeMs, text })
  }
  const gapMs = Math.min(startupGapMs, openingMs / opening.length)
  for (const [i, text] of opening.entries()) add(startedMs + i * gapMs, text)
  if (!isTalking) return lines
  const id = `${pod.metadata.uid}/${container.name}/${run}/`
  const first = Math.max(1, Math.floor((Math.max(fromMs, toMs - keptMs) - startedMs) / slotMs))
  const last = Math.ceil((endMs - startedMs) / slotMs)
  for (let slot = first; slot <= last; slot++) {
    const seed = hash(id + slot)
    if (seed % 5 < 3)
      add(startedMs + slot * slotMs + (seed % slotMs), voice.line(seed >>> 4, startedMs + slot * slotMs))
  }
  return lines
}

/** What a run that has ended still had to say after `fromMs`; `status` is what its container has become. */
export function lastLines(source: LogSource, status: ContainerStatus | undefined, fromMs: number): LogLine[] {
  const { terminated } = status?.state ?? {}
  const finishedAt = (terminated ?? status?.lastState?.terminated)?.finishedAt
  const endedMs = Math.max(finishedAt ? Date.parse(finishedAt) : fromMs, source.startedMs + shortestRunMs)
  return linesBetween({ ...source, endedMs }, fromMs, endedMs)
}

/** Whether a program has its own piece to say and then ends or keeps quiet, rather than talk on and on. */
export function hasOwnPiece({ pod, container }: LogSource): boolean {
  const behavior = behaviorOf(pod, container)
  if (!behavior) return true
  const { output, runsMs } = behavior
  return output.length > 0 || runsMs !== undefined
}

/** When a running container will say something next, after `afterMs`. */
export function nextLineMs(source: LogSource, afterMs: number): number {
  if (!behaviorOf(source.pod, source.container))
    return programAt(source, afterMs).nextMs ?? afterMs + slotMs * 64
  for (let horizonMs = slotMs; horizonMs <= slotMs * 64; horizonMs *= 2) {
    const [line] = linesBetween(source, afterMs, afterMs + horizonMs)
    if (line) return line.timeMs
  }
  return afterMs + slotMs * 64
}

/** The run whose log is asked for, or undefined when there was none. */
export function logSource(
  cluster: Cluster,
  pod: Pod,
  container: Container,
  status: ContainerStatus | undefined,
  isPrevious: boolean,
): LogSource | undefined {
  if (!status) return undefined
  const state = isPrevious ? status.lastState : status.state
  const run = isPrevious ? status.restartCount - 1 : status.restartCount
  const { running, terminated } = state ?? {}
  if (running?.startedAt)
    return { cluster, pod, container, run, startedMs: Date.parse(running.startedAt), endedMs: undefined }
  const ended = terminated ?? (isPrevious ? undefined : status.lastState?.terminated)
  if (!ended?.startedAt) return undefined
  const endedMs = Math.max(Date.parse(ended.finishedAt ?? ''), Date.parse(ended.startedAt) + shortestRunMs)
  return { cluster, pod, container, run, startedMs: Date.parse(ended.startedAt), endedMs }
}
