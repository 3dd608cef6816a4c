import type { EndpointName } from '../api.ts'
import { routes } from '../routes.generated.ts'

/** Where people look for a command under another noun than its endpoint has. */
const words: Partial<Record<EndpointName, string>> = {
  'audit.verify': 'audit start-verification',
  'workflows.allRuns': 'runs list',
  'workflows.run': 'runs get',
  'workflows.runs': 'workflows runs',
  'workflows.runLogs': 'runs lines',
  'workflows.downloadLogs': 'runs download-logs',
  'workflows.startRun': 'runs start',
  'workflows.retry': 'runs retry',
  'workflows.cancel': 'runs cancel',
  'workflows.forceCancel': 'runs force-cancel',
  'workflows.pause': 'runs pause',
  'workflows.resume': 'runs resume',
  'workflows.settleStep': 'runs settle-step',
}

/** What is typed behind `bey` for an endpoint: `clusters list`. */
export function commandWords(name: EndpointName): string {
  return words[name] ?? name.split('.').map(kebab).join(' ')
}

/** `sortBy` as it is typed: `sort-by`. */
export function kebab(name: string): string {
  return name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

type Parts = {
  params?: Readonly<Record<string, unknown>> | undefined
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
}

/** A call as a command line of `bey` that runs as it is: parameters as arguments, the query as flags, the body as input. */
export function commandLine(name: EndpointName, { params = {}, query = {}, body }: Parts): string {
  const args = [...routes[name].path.matchAll(/\{(\w+)\}|\*$/g)].map(([, key]) => textOf(params[key ?? '*']))
  const flags = Object.entries(query).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined && each !== null && each !== '')
      .map((each) => `--${kebab(field)}=${textOf(each)}`),
  )
  const line = ['bey', commandWords(name), ...args.map(shellWord), ...flags.map(shellWord)].join(' ')
  if (body === undefined) return line
  return `${line} --input - <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`
}

/** A call without parameters as a command line with a flag a line for each field of its body, nothing left out. */
export function flagLine(name: EndpointName, body: Readonly<Record<string, unknown>>): string {
  const flags = Object.entries(body).flatMap(([field, value]) => {
    if (value === undefined) return []
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
    return (isList ? value : [value]).map((each) =>
      each === true ? `--${kebab(field)}` : `--${kebab(field)}=${shellWord(textOf(each))}`,
    )
  })
  return [`bey ${commandWords(name)}`, ...flags].join(' \\\n  ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

/** A word as a shell takes it whole: names of things may have spaces and worse. */
export function shellWord(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
