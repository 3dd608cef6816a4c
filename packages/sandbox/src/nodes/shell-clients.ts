import { connect, dial, nameServer, reachesNameServer, resolve, type Connection } from './shell-network.ts'
import { done, failed } from './shell-result.ts'
import { slept } from './shell-script.ts'
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

function curlProblem(
  url: URL,
  connection: Connection,
  waitS: number | undefined,
): [code: number, text: string] | undefined {
  const port = url.port || (url.protocol === 'https:' ? 443 : 80)
  switch (connection.outcome) {
    case 'answered':
      return undefined
    case 'unknown host':
      return [6, `Could not resolve host: ${url.hostname}`]
    case 'refused':
      return [7, `Failed to connect to ${url.hostname} port ${port} after 1 ms: Connection refused`]
    case 'timed out':
      return waitS === undefined
        ? [28, `Failed to connect to ${url.hostname} port ${port} after 130000 ms: Connection timed out`]
        : [28, `Connection timed out after ${Math.round(waitS * 1000) + 1} milliseconds`]
    case 'untrusted':
      return [60, 'SSL certificate problem: unable to get local issuer certificate']
  }
}

function secondsOf(text: string | undefined): number | undefined {
  const seconds = Number(text ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** What is typed waits in no time, so that one time-out may not use up all that a script may take. */
const mostCountedS = 5

/** Nothing answers: a program waits as long as it is told to; what is typed has its answer at once. */
function waited(shell: Shell, seconds: number): void {
  if (shell.isProgram) shell.owedMs += seconds * 1000
  else slept(shell.budget, Math.min(seconds, mostCountedS))
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
  const waitS = secondsOf(valueOf(words, '--connect-timeout', '-m', '--max-time'))
  const problem = curlProblem(url, connection, waitS)
  if (connection.outcome === 'timed out') waited(shell, waitS ?? 130)
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
  if (connection.outcome === 'timed out') waited(shell, secondsOf(valueOf(words, '-T')) ?? 900)
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

const isAddress = (host: string) => /^\d+(\.\d+){3}$/.test(host)

const nslookup: Command = (shell, [host = '']) => {
  if (!isAddress(host) && !reachesNameServer(shell.cluster, shell.pod)) {
    waited(shell, 15)
    return { out: ';; connection timed out; no servers could be reached\n\n', error: '', code: 1 }
  }
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

/** Whether nc is to wait for connections rather than to open one. */
export function isListening(words: readonly string[]): boolean {
  return words.some((word) => /^-[a-zA-Z]*l/.test(word))
}

/** Opens a connection as BusyBox's nc does: `-z` closes it at once, `-v` tells of it, `-w` bounds the wait. */
const nc: Command = (shell, words, input) => {
  const [host, portText = ''] = operands(words, '-[a-zA-Z]*[wpsi]')
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : 0
  const flags = words.filter((word) => /^-[a-zA-Z]+$/.test(word)).join('')
  if (host === undefined || portText === '')
    return failed('BusyBox v1.37.0 multi-call binary.\n\nUsage: nc [OPTIONS] HOST PORT  - connect')
  if (port < 1 || port > 65_535) return failed(`nc: bad port '${portText}'`)
  const isUdp = flags.includes('u')
  const dialled = dial(shell.cluster, shell.pod, host, port, isUdp ? 'UDP' : 'TCP')
  if (dialled.outcome === 'unknown host') return failed(`nc: bad address '${host}'`)
  const name = `${host} (${dialled.address}:${port})`
  const said = (text: string) => (flags.includes('v') ? `${text}\n` : '')
  // Nobody answers a datagram, so that nc does not know what became of it.
  if (isUdp) return { out: '', error: said(`${name} open`), code: 0 }
  if (dialled.outcome === 'timed out') {
    const wait = words.findIndex((word) => /^-[a-zA-Z]*w$/.test(word))
    waited(shell, secondsOf(words[wait + 1]) ?? 130)
    return { out: '', error: said(`nc: ${name}: Connection timed out`), code: 1 }
  }
  if (dialled.outcome === 'refused')
    return { out: '', error: said(`nc: ${name}: Connection refused`), code: 1 }
  const [method = '', path = '/'] = input.toString().split('\r\n')[0]?.split(' ') ?? []
  const isAsked = !flags.includes('z') && dialled.outcome === 'open' && /^(GET|HEAD|POST)$/.test(method)
  const reply = isAsked
    ? connect(shell.cluster, shell.pod, new URL(path, `http://${host}:${port}`), method)
    : undefined
  const out =
    reply?.outcome === 'answered'
      ? Buffer.concat([
          Buffer.from(head(reply, new Date(shell.cluster.clock.now()).toUTCString())),
          method === 'HEAD' ? Buffer.alloc(0) : reply.answer.body,
        ])
      : ''
  return { out, error: said(`${name} open`), code: 0 }
}

/** The commands of a container that open connections or ask for names. */
export const networkTools: Record<string, Command> = { curl, wget, nslookup, getent, nc }
