import { presentPerson } from '../../platform/present-actor.ts'
import type { ErrorGroup, ErrorOccurrence, ErrorOccurrenceSummary, ErrorStackFrame } from '@bey/contract'
import type { findOccurrence, GroupRow, SummaryRow } from './store.ts'

export function presentGroup(
  { statusChangedBy, changerName, changerEmail, ...row }: GroupRow,
  trend: number[],
): ErrorGroup {
  return {
    ...row,
    statusChangedBy:
      statusChangedBy === null ? null : presentPerson(statusChangedBy, changerName, changerEmail),
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    regressedAt: row.regressedAt?.toISOString() ?? null,
    statusChangedAt: row.statusChangedAt?.toISOString() ?? null,
    trend,
  }
}

export function presentSummary(row: SummaryRow): ErrorOccurrenceSummary {
  const { userId, userName, at, ...rest } = row
  return {
    ...rest,
    at: at.toISOString(),
    // Who is no longer a colleague is not named.
    user: userId === null ? null : { id: userId, name: userName ?? 'A former member' },
  }
}

type OccurrenceRow = NonNullable<Awaited<ReturnType<typeof findOccurrence>>>

export function presentOccurrence(
  row: OccurrenceRow,
  frames: ErrorStackFrame[],
  componentFrames: ErrorStackFrame[],
): ErrorOccurrence {
  return {
    ...presentSummary(row),
    reportedAt: row.reportedAt.toISOString(),
    stack: row.stack,
    componentStack: row.componentStack,
    source: row.source,
    line: row.line,
    column: row.column,
    errorBoundary: row.errorBoundary,
    errorBoundaryStack: row.errorBoundaryStack,
    additionalContext: row.additionalContext,
    frames,
    componentFrames,
  }
}
