import type { Remedy } from '@bey/contract'
import type { Rule } from '../rule.ts'
import {
  containerName,
  depths,
  eventWith,
  kubectlTarget,
  lastEnd,
  ownerRef,
  podRef,
  proof,
  templateRemedy,
} from '../rule.ts'
import type { Situation } from '../situation.ts'

function logs(situation: Situation) {
  if (!situation.log) return []
  return [
    proof('log', `${containerName(situation)} wrote last`, {
      quote: situation.log,
      object: podRef(situation),
    }),
  ]
}

/** The line of the log that names the error, else its last line: `: DATABASE_URL is not set`. Empty without a log. */
function lastWords({ log }: Situation): string {
  const lines = (log ?? '').split('\n').flatMap((line) => line.trim() || [])
  const line = lines.findLast((each) => namesAnError.test(each)) ?? lines.at(-1)
  if (line === undefined) return ''
  const text = line.replace(/^(panic|fatal|error):\s*/i, '')
  return `: ${text.length > 120 ? `${text.slice(0, 119)}…` : text}`
}

/** Below the message of a panic or an exception often come frames of the stack, which explain nothing. */
const namesAnError = /\b(panic|fatal|error|exception|failed|cannot|not set|not found|refused|denied)\b/i

function ended(situation: Situation, text: string) {
  const end = lastEnd(situation)
  // How often it restarted stands in the symptom: counted twice, it is two numbers.
  return proof('exit', text, {
    quote: end?.message ?? null,
    object: podRef(situation),
    at: end?.finishedAt,
  })
}

function readLogs(situation: Situation): Remedy[] {
  const object = podRef(situation)
  if (!object) return []
  return [
    {
      text: 'Open previous log',
      action: { id: 'logs', object },
      command: `kubectl logs ${object.name} -n ${object.namespace} -c ${containerName(situation)} --previous`,
    },
  ]
}

/** Exit codes with a meaning of their own (POSIX shells; 128 + n: ended by signal n). */
const exitMeanings: Readonly<Record<number, string>> = {
  126: 'its command is not executable',
  127: 'its command was not found in the image',
  134: 'it aborted itself (SIGABRT)',
  139: 'it accessed memory that is not its own (SIGSEGV)',
}

export const crashRules: Rule[] = [
  {
    id: 'out-of-memory',
    find(situation) {
      const end = lastEnd(situation)
      if (end?.reason !== 'OOMKilled') return null
      const name = containerName(situation)
      const limit = situation.container?.spec.resources?.limits?.['memory']
      const target = ownerRef(situation)
      return {
        cause: limit
          ? `The container ${name} needs more memory than its limit of ${limit}`
          : `The container ${name} was killed because its node ran out of memory`,
        depth: depths.object,
        evidence: [
          ended(
            situation,
            `The kernel killed ${name} for its use of memory (exit code ${end.exitCode ?? 137})`,
          ),
          ...(limit ? [proof('status', `Its memory limit is ${limit}`, { object: target })] : []),
          ...logs(situation),
        ],
        remedies: [
          templateRemedy(
            limit
              ? `Raise the memory limit above ${limit}`
              : 'Set a memory request that covers what it needs',
            situation,
            `kubectl set resources ${kubectlTarget(target)} -c ${name} --limits=memory=<more>`,
          ),
          ...readLogs(situation),
        ],
      }
    },
  },
  {
    id: 'liveness-probe',
    find(situation) {
      const unhealthy = eventWith(situation, ['Unhealthy'], /^Liveness probe/)
      const end = lastEnd(situation)
      if (!unhealthy || (end === undefined && !eventWith(situation, ['Killing'], /liveness/i))) return null
      const name = containerName(situation)
      return {
        cause: `The liveness probe of ${name} fails, so the kubelet restarts it`,
        depth: depths.object,
        evidence: [
          proof('probe', `The liveness probe failed ${unhealthy.count} times`, {
            quote: unhealthy.message,
            object: podRef(situation),
            at: unhealthy.lastSeenAt,
          }),
          ...logs(situation),
        ],
        remedies: [
          templateRemedy('Correct the probe, or give the container more time before it', situation),
          ...readLogs(situation),
        ],
      }
    },
  },
  {
    id: 'start-error',
    find(situation) {
      const waiting = situation.container?.status.state?.waiting
      const end = lastEnd(situation)
      const message = waiting?.message ?? end?.message ?? ''
      const cannotRun = ['RunContainerError', 'CreateContainerError', 'StartError', 'ContainerCannotRun']
      if (!cannotRun.includes(waiting?.reason ?? '') && !cannotRun.includes(end?.reason ?? '')) return null
      const name = containerName(situation)
      return {
        cause: `The container ${name} cannot be started`,
        depth: depths.object,
        evidence: [
          proof('status', `The runtime could not start ${name}`, {
            quote: message || null,
            object: podRef(situation),
            at: end?.finishedAt,
          }),
        ],
        remedies: [templateRemedy('Correct its command, arguments or mounts', situation)],
      }
    },
  },
  {
    id: 'exit-code',
    find(situation) {
      const end = lastEnd(situation)
      if (!end || end.exitCode === undefined || end.exitCode === 0 || end.reason === 'OOMKilled') return null
      const name = containerName(situation)
      const meaning = exitMeanings[end.exitCode]
      const isKilled = end.exitCode === 137
      return {
        cause: meaning
          ? `The container ${name} ends because ${meaning}`
          : isKilled
            ? `The container ${name} was killed (SIGKILL) before it had ended`
            : `${name} exits with code ${end.exitCode}${lastWords(situation)}`,
        depth: depths.surface,
        evidence: [ended(situation, `${name} ended with exit code ${end.exitCode}`), ...logs(situation)],
        remedies: readLogs(situation),
      }
    },
  },
  {
    id: 'readiness-probe',
    find(situation) {
      const unhealthy = eventWith(situation, ['Unhealthy'], /^(Readiness|Startup) probe/)
      const { container } = situation
      const isRunning = container?.status.state?.running !== undefined && container.status.ready !== true
      if (!isRunning) return null
      const name = containerName(situation)
      return {
        cause: `The container ${name} runs but does not become ready, so no traffic reaches it`,
        depth: depths.object,
        evidence: [
          unhealthy
            ? proof('probe', `Its probe failed ${unhealthy.count} times`, {
                quote: unhealthy.message,
                object: podRef(situation),
                at: unhealthy.lastSeenAt,
              })
            : proof('status', `${name} has not been ready since it started`, {
                object: podRef(situation),
                at: container.status.state?.running?.startedAt,
              }),
          ...logs(situation),
        ],
        remedies: [
          ...readLogs(situation).map((each) => ({
            ...each,
            text: 'Read what the container says',
            command: each.command?.replace(' --previous', '') ?? null,
          })),
          templateRemedy('Correct the readiness probe', situation),
        ],
      }
    },
  },
]
