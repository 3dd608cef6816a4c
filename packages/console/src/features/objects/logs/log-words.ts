import { formatCount } from '../../../lib/format.ts'
import type { RuleEntry } from '../../../entities/kubernetes/logs/log-store.ts'

const reasons: Record<string, string> = {
  OOMKilled: 'killed for memory',
  ContainerCannotRun: 'could not be started',
  StartError: 'could not be started',
  Evicted: 'evicted',
}

/** "38 s", "4 min", "2 h". */
function durationText(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}

/** What happened at a rule of the stream, and whether it is trouble. */
export function ruleText(event: RuleEntry['event'], container: string): { text: string; isTrouble: boolean } {
  switch (event.event) {
    case 'started':
      return {
        text: `${container} started${event.restart > 0 ? `, restart ${event.restart}` : ''}`,
        isTrouble: false,
      }
    case 'ended': {
      const isTrouble = event.exitCode !== 0 && event.exitCode !== undefined
      const how = isTrouble ? (reasons[event.reason ?? ''] ?? 'ended') : 'completed'
      const code = event.exitCode === undefined ? '' : `, exit code ${event.exitCode}`
      const signal = event.signal === undefined ? '' : ` (signal ${event.signal})`
      const ran = event.ranMs === undefined ? '' : `, ${durationText(event.ranMs)} after its start`
      return { text: `${container} ${how}${code}${signal}${ran}`, isTrouble }
    }
    case 'pod_deleted':
      return { text: 'pod deleted', isTrouble: false }
    case 'lost':
      return {
        text: `${container} restarted more than once; the cluster keeps no log of it`,
        isTrouble: true,
      }
    case 'disconnected':
      return { text: 'connection lost; what is missing is added here', isTrouble: true }
    case 'dropped':
      return {
        text: `${formatCount(event.count, 'line')} came while paused and ${event.count === 1 ? 'was' : 'were'} dropped`,
        isTrouble: true,
      }
  }
}

/** Shown where the chosen pods, severity and fields leave none of `total` lines. */
export function hiddenLinesText(total: number): string {
  return total === 1 ? 'The one line is hidden' : `All ${formatCount(total, 'line')} are hidden`
}

const resources: Record<string, string> = {
  pods: '',
  'deployments.apps': 'deploy/',
  'statefulsets.apps': 'sts/',
  'daemonsets.apps': 'ds/',
  'replicasets.apps': 'rs/',
  'jobs.batch': 'job/',
  services: 'svc/',
}

export interface LogCommand {
  namespace: string
  resource: string
  name: string
  container: string | undefined
  isPrevious: boolean
  sinceSeconds: number | undefined
}

/** The kubectl line that prints the same log; undefined where kubectl has none. */
export function logCommand(command: LogCommand): string | undefined {
  const kind = resources[command.resource]
  if (kind === undefined) return undefined
  const parts = ['kubectl logs', `-n ${command.namespace}`, `${kind}${command.name}`]
  if (command.container) parts.push(`-c ${command.container}`)
  else parts.push('--all-containers')
  if (kind !== '') parts.push('--all-pods')
  if (command.sinceSeconds) parts.push(`--since=${command.sinceSeconds}s`)
  parts.push(command.isPrevious ? '--previous' : '-f')
  return parts.join(' ')
}

/** What tells a pod from its siblings: the last part of its name where it is generated, or its number. */
export function podSuffix(name: string): string {
  const last = name.split('-').at(-1) ?? name
  return last.length < name.length ? last.slice(-12) : name.slice(0, 12)
}
