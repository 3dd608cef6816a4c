/** Where a span stands (W3C Trace Context): 32 and 16 lower-case hexadecimal digits, neither all zero. */
export type SpanIds = { traceId: string; spanId: string; isSampled: boolean }

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const maxLength = 512

/** Reads a `traceparent` header; undefined for one that is missing, given twice or not valid. Nothing else of the header is kept. */
export function readTraceparent(header: string | string[] | undefined): SpanIds | undefined {
  if (typeof header !== 'string' || header.length > maxLength) return undefined
  const [, version, traceId, spanId, flags, more] = form.exec(header) ?? []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined)
    return undefined
  // Later versions may add fields, version 00 may not.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function traceparentOf({ traceId, spanId, isSampled }: SpanIds): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/**
 * The ids of a run's trace and of its span there: those of the run itself. Each process arrives at the same, so the trace goes
 * on after a restart, and nothing has to be stored.
 */
export function idsOfRun(runId: string): Omit<SpanIds, 'isSampled'> {
  const traceId = runId.replaceAll('-', '')
  return { traceId, spanId: traceId.slice(16) }
}
