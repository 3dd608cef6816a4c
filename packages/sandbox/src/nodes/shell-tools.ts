import { connect, nameServer, resolve, type Connection } from './shell-network.ts'
import { done, failed, type Result } from './shell-result.ts'
import type { Command, Shell } from './shell.ts'

/** The words that are no options, where some options take a value. */
function operands(words: string[], withValue: string): string[] {
  return words.filter(
    (word, i) =>
      !word.startsWith('-') && !new RegExp(`^(${withValue})$`).test(i > 0 ? (words[i - 1] ?? '') : ''),
  )
}

function valueOf(words: string[], ...names: string[]): string | undefined {
  const at = words.findIndex((word) => names.includes(word))
  return at < 0 ? undefined : words[at + 1]
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `http://${text}`)
  return url ?? undefined
}

function head(connection: Extract<Connection, { outcome: 'answered' }>, date: string): string {
  const { status, server, type, body } = connection.answer
  return `HTTP/1.1 ${status}\r\nServer: ${server}\r\nDate: ${date}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\nConnection: keep-alive\r\n\r\n`
}

function curlProblem(url: URL, connection: Connection): [code: number, text: string] | undefined {
  const port = url.port || (url.protocol === 'https:' ? 443 : 80)
  switch (connection.outcome) {
    case 'answered':
      return undefined
    case 'unknown host':
      return [6, `Could not resolve host: ${url.hostname}`]
    case 'refused':
      return [7, `Failed to connect to ${url.hostname} port ${port} after 1 ms: Connection refused`]
    case 'timed out':
      return [28, `Failed to connect to ${url.hostname} port ${port} after 130000 ms: Connection timed out`]
    case 'untrusted':
      return [60, 'SSL certificate problem: unable to get local issuer certificate']
  }
}

const curl: Command = (shell, words) => {
  const [target] = operands(
    words,
    '-o|-w|-X|-H|-d|-m|-A|-u|--max-time|--connect-timeout|--retry|--request|--header|--data|--output|--write-out',
  )
  if (target === undefined)
    return failed("curl: try 'curl --help' or 'curl --manual' for more information", 2)
  const url = parseUrl(target)
  if (!url) return failed('curl: (3) URL rejected: Malformed input to a URL function', 3)
  const short = words.filter((word) => /^-[a-zA-Z]+$/.test(word)).join('')
  const isHead = short.includes('I') || words.includes('--head')
  const method = isHead ? 'HEAD' : (valueOf(words, '-X', '--request') ?? 'GET')
  const connection = connect(shell.cluster, shell.pod, url, method)
  const problem = curlProblem(url, connection)
  const isQuiet = (short.includes('s') || words.includes('--silent')) && !short.includes('S')
  const written = (code: string) =>
    (valueOf(words, '-w', '--write-out') ?? '').replaceAll('%{http_code}', code).replaceAll('\\n', '\n')
  if (problem || connection.outcome !== 'answered') {
    const [code = 7, text = ''] = problem ?? []
    return { out: written('000'), error: isQuiet ? '' : `curl: (${code}) ${text}\n`, code }
  }
  const { status, body } = connection.answer
  const number = status.slice(0, 3)
  if ((short.includes('f') || words.includes('--fail')) && Number(number) >= 400)
    return failed(`curl: (22) The requested URL returned error: ${number}`, 22)
  const date = new Date(shell.cluster.clock.now()).toUTCString()
  const lines = isHead || short.includes('i') ? head(connection, date) : ''
  const content = Buffer.concat([Buffer.from(lines), isHead ? Buffer.alloc(0) : body])
  const file = valueOf(words, '-o', '--output')
  if (file === undefined) return done(Buffer.concat([content, Buffer.from(written(number))]))
  if (file !== '/dev/null') shell.write(file, content)
  return done(written(number))
}

const wget: Command = (shell, words) => {
  const [target] = operands(words, '-O|-T|-t|-U|-qO|--header')
  const url = target === undefined ? undefined : parseUrl(target)
  if (!url)
    return failed('BusyBox v1.37.0 multi-call binary.\n\nUsage: wget [-cqS] [--spider] [-O FILE] URL...')
  const connection = connect(shell.cluster, shell.pod, url, 'GET')
  const { host, hostname } = url
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (connection.outcome === 'unknown host') return failed(`wget: bad address '${host}'`)
  const isQuiet = words.some((word) => /^-[a-zA-Z]*q/.test(word))
  const intro = isQuiet ? '' : `Connecting to ${host} (${connection.address}:${port})\n`
  if (connection.outcome !== 'answered') {
    const why =
      connection.outcome === 'refused'
        ? `can't connect to remote host (${connection.address}): Connection refused`
        : connection.outcome === 'timed out'
          ? 'download timed out'
          : `note: TLS certificate validation not implemented\nwget: TLS error from peer (alert code 42): ${hostname}`
    return failed(`${intro}wget: ${why}`)
  }
  const { status, body } = connection.answer
  if (!status.startsWith('2')) return failed(`${intro}wget: server returned error: HTTP/1.1 ${status}`)
  if (words.includes('--spider')) return { out: '', error: `${intro}remote file exists\n`, code: 0 }
  const option = words.findIndex((word) => /^-[a-zA-Z]*O/.test(word))
  const joined = option < 0 ? '' : (words[option] ?? '').replace(/^-[a-zA-Z]*?O/, '')
  const file =
    option < 0 ? url.pathname.split('/').at(-1) || 'index.html' : joined || words[option + 1] || '-'
  if (file === '-') return { out: body, error: intro, code: 0 }
  if (file !== '/dev/null') shell.write(file, body)
  return { out: '', error: isQuiet ? '' : `${intro}saving to '${file}'\n'${file}' saved\n`, code: 0 }
}

const nslookup: Command = (shell, [host = '']) => {
  const found = resolve(shell.cluster, shell.pod, host)
  const server = `Server:\t\t${nameServer}\nAddress:\t${nameServer}:53\n\n`
  if (!found) return { out: `${server}** server can't find ${host}: NXDOMAIN\n\n`, error: '', code: 1 }
  return done(
    `${server}${found.addresses.map((one) => `Name:\t${found.name}\nAddress: ${one}\n`).join('')}\n`,
  )
}

const getent: Command = (shell, [database = '', host = '']) => {
  if (!['hosts', 'ahosts'].includes(database)) return failed(`Unknown database: ${database}`)
  const found = resolve(shell.cluster, shell.pod, host)
  if (!found) return { out: '', error: '', code: 2 }
  return done(found.addresses.map((one) => `${one.padEnd(16)}  ${found.name}  ${host}\n`).join(''))
}

const builtIns = new Set([
  'cd',
  'exit',
  'export',
  'test',
  '[',
  'echo',
  'printf',
  'command',
  'type',
  'true',
  'false',
  ':',
  'pwd',
  'local',
  'readonly',
  'return',
  'set',
  'shift',
  'unset',
])

function which(shell: Shell, names: string[], isBuiltInNamed: boolean): Result {
  let out = ''
  let code = 0
  for (const name of names) {
    if (isBuiltInNamed && builtIns.has(name)) out += `${name}\n`
    else if (shell.has(name) && !['exit', 'cd', 'command', 'type', ':', 'export'].includes(name))
      out += `${name.startsWith('/') ? name : `${['sh', 'ls', 'cat', 'echo', 'ps'].includes(name) ? '/bin' : '/usr/bin'}/${name}`}\n`
    else code = isBuiltInNamed ? 127 : 1
  }
  return { out, error: '', code }
}

function isTrue(shell: Shell, words: string[]): boolean {
  const or = words.indexOf('-o')
  if (or > 0) return isTrue(shell, words.slice(0, or)) || isTrue(shell, words.slice(or + 1))
  const and = words.indexOf('-a')
  if (and > 0) return isTrue(shell, words.slice(0, and)) && isTrue(shell, words.slice(and + 1))
  if (words[0] === '!') return !isTrue(shell, words.slice(1))
  const [first = '', second = '', third = ''] = words
  if (words.length <= 1) return first !== ''
  if (words.length === 2) {
    if (first === '-n') return second !== ''
    if (first === '-z') return second === ''
    const full = shell.resolve(second)
    const file = shell.files.get(full)
    const isDirectory = full === '/' || [...shell.files.keys()].some((path) => path.startsWith(`${full}/`))
    if (first === '-d') return isDirectory
    if (first === '-f') return file !== undefined
    if (first === '-s') return (file?.length ?? 0) > 0
    return ['-e', '-r', '-w', '-x'].includes(first) && (isDirectory || file !== undefined)
  }
  const [a, b] = [Number(first), Number(third)]
  switch (second) {
    case '=':
    case '==':
      return first === third
    case '!=':
      return first !== third
    case '-eq':
      return a === b
    case '-ne':
      return a !== b
    case '-lt':
      return a < b
    case '-le':
      return a <= b
    case '-gt':
      return a > b
    case '-ge':
      return a >= b
    default:
      return false
  }
}

const test: Command = (shell, words) => ({ out: '', error: '', code: isTrue(shell, words) ? 0 : 1 })

function printf(format: string, values: string[]): string {
  let at = 0
  const text = format.replaceAll(/\\n/g, '\n').replaceAll(/\\t/g, '\t')
  const once = () =>
    text.replaceAll(
      /%(-?)(0?)(\d{0,3})([sd%])/g,
      (_whole, left: string, zero: string, width: string, kind: string) => {
        if (kind === '%') return '%'
        const value = values[at++] ?? (kind === 'd' ? '0' : '')
        return left
          ? value.padEnd(Number(width))
          : value.padStart(Number(width), zero && kind === 'd' ? '0' : ' ')
      },
    )
  let out = once()
  while (at > 0 && at < values.length) out += once()
  return out
}

const mostNumbers = 10_000

function seq(words: string[]): Result {
  const numbers = words.map(Number)
  const [first = 1, last = 1] = numbers.length > 1 ? [numbers[0], numbers.at(-1)] : [1, numbers[0]]
  const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1
  const length = Math.floor((last - first) / step) + 1
  if (!Number.isFinite(length)) return failed('seq: invalid number')
  const count = Math.max(0, Math.min(length, mostNumbers))
  return done(Array.from({ length: count }, (_none, i) => `${first + i * step}\n`).join(''))
}

/** The commands of a container that ask the network, the shell itself, or a condition. */
export const tools: Record<string, Command> = {
  curl,
  wget,
  nslookup,
  getent,
  test,
  which: (shell, words) => which(shell, words, false),
  command: (shell, words, input) =>
    words[0] === '-v' ? which(shell, words.slice(1), true) : shell.run(words, input),
  type(shell, [name = '']) {
    if (builtIns.has(name)) return done(`${name} is a shell builtin\n`)
    const { out } = which(shell, [name], false)
    return out ? done(`${name} is ${out.toString()}`) : { out: `${name}: not found\n`, error: '', code: 127 }
  },
  '['(shell, words, input) {
    if (words.at(-1) !== ']') return failed('sh: missing ]', 2)
    return test(shell, words.slice(0, -1), input)
  },
  printf: (_shell, [format = '', ...values]) => done(printf(format, values)),
  seq: (_shell, words) => seq(words),
  ':': () => done(),
}
