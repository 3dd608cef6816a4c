import { networkTools } from './shell-clients.ts'
import { done, failed, type Result } from './shell-result.ts'
import type { Command, Shell } from './shell.ts'

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
  ...networkTools,
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
