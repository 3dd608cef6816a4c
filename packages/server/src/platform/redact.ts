import { isSecretName } from '@bey/contract/secrets/names'
import { redacted, redactText } from '@bey/contract/base/redact-text'

const maxDepth = 8

/** A copy without the values of telling names; errors become plain data without the parameters of statements. */
export function redactValue(value: unknown, depth = 0, seen: WeakSet<object> = new WeakSet()): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value
  if (Buffer.isBuffer(value) || ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (seen.has(value)) return '[circular]'
  if (depth >= maxDepth) return '[deep]'
  seen.add(value)
  try {
    if (value instanceof Error) return redactError(value, depth, seen)
    if (Array.isArray(value)) return value.map((each) => redactValue(each, depth + 1, seen))
    const copy: Record<string, unknown> = {}
    for (const [name, each] of Object.entries(value)) {
      copy[name] = isSecretName(name) && each != null ? redacted : redactValue(each, depth + 1, seen)
    }
    return copy
  } finally {
    seen.delete(value)
  }
}

/** Fields of a PostgreSQL error that say where it happened; `detail`, `where` and `hint` may hold row values. */
const errorFields = [
  'code',
  'constraint',
  'table',
  'column',
  'schema',
  'routine',
  'syscall',
  'errno',
  'details',
] as const

function redactError(error: Error, depth: number, seen: WeakSet<object>): Record<string, unknown> {
  const copy: Record<string, unknown> = {
    type: error.name,
    message: withoutParameters(error.message),
    stack: error.stack === undefined ? undefined : withoutParameters(error.stack),
  }
  for (const field of errorFields) {
    if (field in error)
      copy[field] = redactValue((error as unknown as Record<string, unknown>)[field], depth + 1, seen)
  }
  if (error.cause !== undefined) copy['cause'] = redactValue(error.cause, depth + 1, seen)
  return copy
}

/** drizzle puts the values of a failed statement into its message: `Failed query: … params: …`. */
function withoutParameters(text: string): string {
  return text.replace(/(\nparams: )[^]*?(?=\n {4}at |$)/, `$1${redacted}`)
}

/** The last net, over a finished JSON line: fields of child loggers reach no formatter. */
export function redactLine(line: string): string {
  const named = line.replace(/"([^"\\]{2,60})":"(?:[^"\\]|\\.)*"/g, (pair, name: string) =>
    isSecretName(name) ? `"${name}":"${redacted}"` : pair,
  )
  return redactText(named)
}
