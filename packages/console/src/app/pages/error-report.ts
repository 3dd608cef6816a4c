export type ErrorKind = 'generic' | 'loop' | 'date'

/** Which of the specified variants an error belongs to. */
export function kindOf(error: unknown): ErrorKind {
  const message = messageOf(error)
  if (/maximum update depth exceeded|too many re-renders/i.test(message)) return 'loop'
  if (/invalid time value/i.test(message)) return 'date'
  return 'generic'
}

export const headlines: Record<ErrorKind, string> = {
  generic: 'Something went wrong',
  loop: 'Infinite Loop Detected',
  date: 'Invalid Date Format',
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const runPath = /^\/workflows\/([^/]+)\/runs\/([^/]+)\/?$/

/** The workflow and run of a run-details address. */
export function runOf(path: string): { workflowId: string; runId: string } | undefined {
  const [, workflowId, runId] = runPath.exec(path) ?? []
  return workflowId && runId ? { workflowId, runId } : undefined
}

export interface ReportFacts {
  error: unknown
  componentStack?: string | undefined
  path: string
  version: string
  userAgent: string
  at: Date
}

/** A technical report to copy. The search part of the address is left out: it may hold typed text. */
export function errorReport(facts: ReportFacts): string {
  const { error, componentStack, path, version, userAgent, at } = facts
  const run = runOf(path)
  const lines = [
    `Error: ${messageOf(error)}`,
    `Page: ${path}`,
    ...(run ? [`Workflow: ${run.workflowId}`, `Run: ${run.runId}`] : []),
    `Version: ${version}`,
    `Time: ${at.toISOString()}`,
    `Browser: ${userAgent}`,
  ]
  const requestId = requestIdOf(error)
  if (requestId) lines.push(`Request: ${requestId}`)
  if (error instanceof Error && error.stack) lines.push('', 'Stack:', error.stack)
  if (componentStack) lines.push('', 'Components:', componentStack.trim())
  return lines.join('\n')
}

function requestIdOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('requestId' in error)) return undefined
  return typeof error.requestId === 'string' && error.requestId !== '' ? error.requestId : undefined
}
