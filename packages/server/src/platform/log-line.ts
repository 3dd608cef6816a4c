const skipped = new Set(['level', 'time', 'msg', 'err', 'pid', 'hostname'])

/** Turns one JSON line of the log into `12:04:31 INFO    Listening address=http://localhost:8080`. */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>
  try {
    const parsed: unknown = JSON.parse(line)
    if (typeof parsed !== 'object' || parsed === null) return line
    entry = parsed as Record<string, unknown>
  } catch (error) {
    if (error instanceof SyntaxError) return line
    throw error
  }
  const time = textOf(entry['time']).slice(11, 19)
  const level = textOf(entry['level']).toUpperCase().padEnd(7)
  const fields = Object.entries(entry)
    .filter(([name]) => !skipped.has(name))
    .map(([name, value]) => `${name}=${textOf(value)}`)
  const head = [time, level, textOf(entry['msg']), ...fields].join(' ').trimEnd()
  return `${head}${prettyError(entry['err'])}\n`
}

function prettyError(error: unknown, label = ''): string {
  if (typeof error !== 'object' || error === null) return ''
  const { stack, message, cause } = error as { stack?: unknown; message?: unknown; cause?: unknown }
  return `\n${label}${textOf(stack ?? message)}${prettyError(cause, 'Caused by: ')}`
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}
