import type { Cluster } from '../api/context.ts'
import type { Container, Pod } from '../types.ts'
import { hasProgram, isInPath } from './images.ts'
import { Shell } from './shell.ts'

type Purpose = 'startup' | 'liveness' | 'readiness'
type Probe = NonNullable<Container['livenessProbe']>
type Course = { purpose: Purpose; probe: Probe; dueMs: number; inRow: number; isPassing: boolean }

/** A probe that ran: whether it passed, and what an event says where it did not; no verdict where it could not run. */
type Verdict = { isPassing: boolean | undefined; text: string }

export type ProbeNews = {
  warnings: string[]
  /** Why the container has to be killed. */
  kill: string | undefined
  nextMs: number | undefined
}

const titles: Record<Purpose, string> = { startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness' }

/** The exec probes of one run of a container: commands in its files that say how it is. */
export class ExecProbes {
  readonly #cluster: Cluster
  readonly #container: Container
  readonly #courses: Course[]

  constructor(cluster: Cluster, container: Container, startedMs: number) {
    this.#cluster = cluster
    this.#container = container
    const probes = {
      startup: container.startupProbe,
      liveness: container.livenessProbe,
      readiness: container.readinessProbe,
    }
    this.#courses = (['startup', 'liveness', 'readiness'] as const).flatMap((purpose) => {
      const probe = probes[purpose]
      if (!probe?.exec) return []
      // What starts with its container is first asked a moment later.
      const dueMs = startedMs + Math.max((probe.initialDelaySeconds ?? 0) * 1000, 500) / cluster.speed
      return [{ purpose, probe, dueMs, inRow: 0, isPassing: purpose === 'liveness' }]
    })
  }

  /** Whether none of these says that the container is not as it should be for this purpose. */
  isPassing(purpose: Purpose): boolean {
    return this.#courses.every((one) => one.purpose !== purpose || one.isPassing)
  }

  /** Runs the probes that are due. */
  advance(pod: Pod, nowMs: number): ProbeNews {
    const news: ProbeNews = { warnings: [], kill: undefined, nextMs: undefined }
    for (const course of this.#courses) {
      const isOver = course.purpose === 'startup' && course.isPassing
      const isEarly = course.purpose !== 'startup' && !this.isPassing('startup')
      if (isOver || isEarly) continue
      if (course.dueMs <= nowMs) {
        course.dueMs = nowMs + ((course.probe.periodSeconds || 10) * 1000) / this.#cluster.speed
        this.#ask(course, pod, news)
      }
      news.nextMs = Math.min(news.nextMs ?? Infinity, course.dueMs)
    }
    return news
  }

  #ask(course: Course, pod: Pod, news: ProbeNews): void {
    const { purpose, probe } = course
    const { isPassing, text } = this.#verdict(probe, pod)
    const title = titles[purpose]
    if (isPassing === undefined)
      news.warnings.push(`${title} probe errored and resulted in unknown state: ${text}`)
    if (isPassing === undefined) return
    if (!isPassing) news.warnings.push(`${title} probe failed: ${text}`)
    // So many in a row turn the tide.
    const isSame = course.inRow > 0 === isPassing && course.inRow !== 0
    course.inRow = isSame ? course.inRow + (isPassing ? 1 : -1) : isPassing ? 1 : -1
    if (isPassing && course.inRow >= (probe.successThreshold || 1)) course.isPassing = true
    if (isPassing || -course.inRow < (probe.failureThreshold || 3)) return
    if (purpose === 'readiness') course.isPassing = false
    else news.kill = `Container ${this.#container.name} failed ${purpose} probe, will be restarted`
  }

  #verdict(probe: Probe, pod: Pod): Verdict {
    const words = probe.exec?.command ?? []
    const [name = ''] = words
    const shell = new Shell(this.#cluster, pod, this.#container)
    shell.isProgram = true
    const isFile = shell.files.has(name)
    if (!(shell.has(name) && isInPath(name)) && !isFile) {
      if (hasProgram(this.#container, name)) return { isPassing: true, text: '' }
      const why = name.includes('/')
        ? `stat ${name}: no such file or directory`
        : 'executable file not found in $PATH'
      const text = `rpc error: code = Unknown desc = failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: "${name}": ${why}: unknown`
      return { isPassing: undefined, text }
    }
    const { out, error, code } = shell.run(isFile && !isInPath(name) ? ['sh', ...words] : words)
    const limit = probe.timeoutSeconds || 1
    if (shell.owedMs > limit * 1000) {
      const text = `command timed out: "${words.join(' ')}" timed out after ${limit}s`
      return { isPassing: false, text }
    }
    return { isPassing: code === 0, text: (out.toString() + error).trimEnd() }
  }
}
