import type { Breadcrumb, ErrorGroup, ErrorGroupStatus, ErrorKind, ErrorOccurrence } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import type { ErrorPeriod } from '../../data/error-log.ts'

export const kindLabels: Readonly<Record<ErrorKind, string>> = {
  error: 'uncaught error',
  rejection: 'unhandled rejection',
  console: 'printed to the console',
  boundary: 'broke a page or panel',
}

/** The status in words, in which an error that came back is distinguished. */
export function statusOf(group: Pick<ErrorGroup, 'status' | 'regressedAt'>): ErrorGroupStatus | 'regressed' {
  return group.status === 'open' && group.regressedAt !== null ? 'regressed' : group.status
}

export function trendLabel(trend: readonly number[], period: ErrorPeriod): string {
  const sum = trend.reduce((total, value) => total + value, 0)
  return `${formatCount(sum, 'occurrence')} in the last ${period === '14d' ? '14 days' : '24 hours'}`
}

/** When each span of a trend began, the present one last; days are those of UTC. */
export function trendTimes(count: number, period: ErrorPeriod, now: number): Date[] {
  const widthMs = period === '14d' ? 86_400_000 : 3_600_000
  const present = Math.floor(now / widthMs) * widthMs
  return Array.from({ length: count }, (_, index) => new Date(present - (count - 1 - index) * widthMs))
}

/** What happened before an occurrence, as far as its console said so. */
export function breadcrumbsOf(context: Record<string, unknown>): Breadcrumb[] {
  const { breadcrumbs } = context
  return Array.isArray(breadcrumbs) ? breadcrumbs.filter(isBreadcrumb) : []
}

function isBreadcrumb(value: unknown): value is Breadcrumb {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'string' &&
    'type' in value &&
    typeof value.type === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  )
}

/** "Chromium 140 on Linux"; an unknown browser is shown by its user agent. */
export function browserOf(userAgent: string): string {
  const system = /Windows|Mac OS X|Android|iPhone|iPad|Linux|CrOS/.exec(userAgent)?.[0]
  const place = system ? ` on ${system === 'Mac OS X' ? 'macOS' : system}` : ''
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(userAgent)?.[1]
    if (version) return `${name} ${version}${place}`
  }
  return userAgent || 'unknown'
}

const browsers: readonly [RegExp, string][] = [
  [/Edg\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/(?:HeadlessChrome|Chrome)\/(\d+)/, 'Chromium'],
  [/Version\/(\d+)[.\d]* .*Safari/, 'Safari'],
]

/** A technical report to copy, with the stack as it was traced. */
export function reportText(group: ErrorGroup, occurrence: ErrorOccurrence | undefined): string {
  const lines = [
    `Error: ${group.message}`,
    `Id: ${group.id}`,
    `Status: ${statusOf(group)}`,
    `Occurrences: ${group.occurrenceCount}, people: ${group.userCount}`,
    `First seen: ${group.firstSeenAt} in ${group.firstRelease}`,
    `Last seen: ${group.lastSeenAt} in ${group.lastRelease}`,
  ]
  if (!occurrence) return lines.join('\n')
  const { frames, componentFrames, errorBoundary } = occurrence
  lines.push(`Page: ${occurrence.url}`, `Browser: ${occurrence.userAgent}`)
  if (errorBoundary) lines.push(`Caught by: ${errorBoundary}`)
  if (frames.length > 0) lines.push('', 'Stack:', ...frames.map(frameText))
  if (componentFrames.length > 0) lines.push('', 'Components:', ...componentFrames.map(frameText))
  const crumbs = breadcrumbsOf(occurrence.additionalContext)
  if (crumbs.length > 0) {
    lines.push('', 'Before it:', ...crumbs.map(({ at, type, message }) => `${at} ${type} ${message}`))
  }
  return lines.join('\n')
}

function frameText({ functionName, file, line, column, text }: ErrorOccurrence['frames'][number]): string {
  return file === null ? `  ${text}` : `  at ${functionName ?? '(anonymous)'} (${file}:${line}:${column})`
}
