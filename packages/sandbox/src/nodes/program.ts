import type { Cluster } from '../api/context.ts'
import { pods, type Container, type Pod } from '../types.ts'
import { environmentOf } from './container-files.ts'
import { hasProgram, isInPath, isServer } from './images.ts'
import type { Sink, Steps } from './shell-script.ts'
import { isListening } from './shell-clients.ts'
import { plays, Shell } from './shell.ts'

export type LogLine = { timeMs: number; text: string }

/** A program needs a moment before it says anything, and never ends at once. */
const firstMs = 100
const shortestMs = 300
const mostLines = 5000
const longestLine = 16 * 1024
/** What is not caught up with in one go, after a restart, is in the next. */
const mostStepsAtOnce = 20_000
const mostMessage = 4096

/** The words of a container's command, with `$(NAME)` replaced as Kubernetes does. */
function commandOf(cluster: Cluster, pod: Pod, container: Container): string[] {
  const words = [...(container.command ?? []), ...(container.args ?? [])]
  if (!words.some((word) => word.includes('$('))) return words
  const environment = environmentOf(cluster, pod, container)
  return words.map((word) =>
    word.replaceAll(/\$\$\(|\$\(([A-Za-z_][\w.-]*)\)/g, (whole, name: string | undefined) =>
      name === undefined ? '$(' : (environment[name] ?? whole),
    ),
  )
}

/** One run of a container's own command in the simulated shell, as time passes. */
export class Program {
  readonly lines: LogLine[] = []
  /** How it ended, and when. */
  end: { exitCode: number; timeMs: number; message?: string } | undefined
  readonly #cluster: Cluster
  readonly #pod: Pod
  readonly #container: Container
  readonly #startedMs: number
  #dueMs: number
  #shell: Shell | undefined
  #steps: Steps | undefined
  /** What has been written since the last end of a line. */
  readonly #open = { out: '', error: '' }

  constructor(cluster: Cluster, pod: Pod, container: Container, startedMs: number) {
    this.#cluster = cluster
    this.#pod = pod
    this.#container = container
    this.#startedMs = startedMs
    this.#dueMs = startedMs + firstMs / cluster.speed
  }

  /** When it goes on; undefined where it has ended or waits for ever. */
  get nextMs(): number | undefined {
    return this.end || this.#dueMs === Infinity ? undefined : this.#dueMs
  }

  /** Does all that falls due up to then. */
  advance(toMs: number): void {
    for (let i = 0; i < mostStepsAtOnce && !this.end && this.#dueMs <= toMs; i += 1) this.#step()
  }

  /** Ends it from outside. */
  stop(): void {
    this.#steps = undefined
    this.#shell = undefined
    this.#dueMs = Infinity
  }

  #step(): void {
    const shell = (this.#shell ??= this.#begin())
    shell.nowMs = this.#dueMs
    shell.refresh()
    const sink = (out: string | Buffer, error: string) => {
      this.#write('out', out.toString())
      this.#write('error', error)
    }
    this.#steps ??= inTime(shell, this.#words(), sink)
    const step = this.#steps.next()
    if (!step.done) {
      this.#dueMs += step.value / this.#cluster.speed
      return
    }
    for (const stream of ['out', 'error'] as const) if (this.#open[stream] !== '') this.#write(stream, '\n')
    const path = this.#container.terminationMessagePath ?? '/dev/termination-log'
    const written = shell.files.get(path)?.toString().slice(0, mostMessage)
    const usesLog =
      this.#container.terminationMessagePolicy === 'FallbackToLogsOnError' && step.value.code !== 0
    const message =
      written ||
      (usesLog
        ? this.lines
            .slice(-80)
            .map(({ text }) => `${text}\n`)
            .join('')
        : '')
    const shortest = this.#startedMs + shortestMs / this.#cluster.speed
    this.end = {
      exitCode: step.value.code,
      timeMs: Math.max(this.#dueMs, shortest),
      ...(message ? { message: message.slice(-mostMessage) } : {}),
    }
    this.stop()
  }

  #begin(): Shell {
    const { namespace, name, uid } = this.#pod.metadata
    const latest = this.#cluster.store.get(pods, namespace, name)
    const shell = new Shell(this.#cluster, latest?.metadata.uid === uid ? latest : this.#pod, this.#container)
    shell.isProgram = true
    shell.missing = (words) => this.#missing(words)
    return shell
  }

  #words(): string[] {
    const words = commandOf(this.#cluster, this.#shell?.pod ?? this.#pod, this.#container)
    return isPathOf(this.#container, words[0] ?? '') ? ['sh', ...words] : words
  }

  /** What a program does that nobody plays: a server serves, anything else ends well. */
  #missing(words: readonly string[]): Steps | undefined {
    const [name = ''] = words
    if (!isServer(words) && !hasProgram(this.#container, name)) return undefined
    const isLasting = isServer(words) || (name.includes('/') && !isInPath(name))
    return lasting(isLasting && this.#pod.spec.restartPolicy === 'Always')
  }

  #write(stream: 'out' | 'error', text: string): void {
    if (text === '') return
    const parts = (this.#open[stream] + text).split('\n')
    this.#open[stream] = parts.pop()?.slice(-longestLine) ?? ''
    for (const part of parts) this.lines.push({ timeMs: this.#dueMs, text: part.slice(0, longestLine) })
    if (this.lines.length > mostLines * 1.2) this.lines.splice(0, this.lines.length - mostLines)
  }
}

/** A command alone, which is no line of a script, waits as well for what it has slept. */
function* inTime(shell: Shell, words: string[], sink: Sink): Steps {
  const result = yield* shell.runSteps(words, undefined, sink)
  sink(result.out, result.error)
  if (shell.owedMs > 0) yield shell.owedMs
  return { out: '', error: '', code: result.code }
}

const jobMs = 4000

function* lasting(isForEver: boolean): Steps {
  yield isForEver ? Infinity : jobMs
  return { out: '', error: '', code: 0 }
}

const programs = new WeakMap<Cluster, Map<string, Map<string, Program>>>()

function programsOf(cluster: Cluster, pod: Pod): Map<string, Program> {
  const all = programs.get(cluster) ?? new Map<string, Map<string, Program>>()
  programs.set(cluster, all)
  const own = all.get(pod.metadata.uid) ?? new Map<string, Program>()
  all.set(pod.metadata.uid, own)
  return own
}

export type Run = { pod: Pod; container: Container; run: number; startedMs: number }

/** The program of one run of a container whose command the simulated shell plays. The run before is kept, too. */
export function programOf(cluster: Cluster, { pod, container, run, startedMs }: Run): Program {
  const own = programsOf(cluster, pod)
  const id = `${container.name}/${run}`
  const found = own.get(id) ?? new Program(cluster, pod, container, startedMs)
  own.set(id, found)
  own.delete(`${container.name}/${run - 2}`)
  return found
}

export function forgetPrograms(cluster: Cluster, podUid: string): void {
  programs.get(cluster)?.delete(podUid)
}

const readers = new Set(['cat', 'grep', 'head', 'sort', 'tail', 'wc'])

/** Whether the simulated shell plays what the container runs, rather than that its image's name says what it does. */
export function isPlayed(container: Container, words: readonly string[]): boolean {
  const [first = ''] = words
  const name = first.split('/').at(-1) ?? ''
  // Somebody is going to type into it.
  const isShell = ['sh', 'bash', 'ash'].includes(name)
  if (container.stdin && (readers.has(name) || (isShell && !words.some((word) => /^-\w*c/.test(word)))))
    return false
  if (isPathOf(container, first)) return true
  if (name === 'nc' && isListening(words)) return false
  return name !== '' && plays(container, first) && isInPath(first)
}

/** Whether a command is a file that a volume brings. */
function isPathOf({ volumeMounts = [] }: Container, path: string): boolean {
  return volumeMounts.some(({ mountPath }) => path.startsWith(`${mountPath.replace(/\/$/, '')}/`))
}

/** Why a runtime cannot start a container's command, in its words; undefined where it can. */
export function startFault(cluster: Cluster, pod: Pod, container: Container): string | undefined {
  const words = commandOf(cluster, pod, container)
  const [name = ''] = words
  // What follows an entry point that is not known may be an option of it.
  if (name === '' || (container.command === undefined && name.startsWith('-'))) return undefined
  if (isPathOf(container, name)) {
    if (new Shell(cluster, pod, container).files.has(name)) return undefined
  } else if ((plays(container, name) && isInPath(name)) || isServer(words) || hasProgram(container, name))
    return undefined
  const why = name.includes('/')
    ? `stat ${name}: no such file or directory`
    : 'executable file not found in $PATH'
  return `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "${name}": ${why}: unknown`
}
