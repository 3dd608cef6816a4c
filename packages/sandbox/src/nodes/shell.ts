import { posix } from 'node:path'
import type { Cluster } from '../api/context.ts'
import type { Container, Pod } from '../types.ts'
import { done, failed, type Result } from './shell-result.ts'
import {
  isUnfinished,
  newBudget,
  runAtOnce,
  runScript,
  scriptSteps,
  slept,
  type Budget,
  type Sink,
  type Steps,
} from './shell-script.ts'
import type { Stage } from './shell-syntax.ts'
import { dateText, sleepMs } from './shell-time.ts'
import { followFiles } from './shell-follow.ts'
import { ls } from './shell-ls.ts'
import { terminalTools, type Terminal } from './shell-terminal.ts'
import { isListening } from './shell-clients.ts'
import { tools } from './shell-tools.ts'
import { environmentOf, filesOf, namesIn, refreshFiles, type Files } from './container-files.ts'
import { pack, unpack } from './tar.ts'

export type Command = (shell: Shell, words: string[], input: Buffer) => Result

function flagsAndPaths(words: string[]): [flags: string, paths: string[]] {
  return [
    words.filter((word) => word.startsWith('-')).join(''),
    words.filter((word) => !word.startsWith('-')),
  ]
}

function readAll(shell: Shell, name: string, paths: string[], input: Buffer): Buffer | Result {
  if (paths.length === 0) return input
  const parts: Buffer[] = []
  for (const path of paths) {
    const file = shell.files.get(shell.resolve(path))
    if (!file) return failed(`${name}: can't open '${path}': No such file or directory`)
    parts.push(file)
  }
  return Buffer.concat(parts)
}

/** A command that turns lines into lines. */
function filter(name: string, change: (lines: string[], words: string[]) => string[], operands = 0): Command {
  return (shell, words, input) => {
    const counts = words.flatMap((word, i) => (words[i - 1] === '-n' ? [word] : []))
    const [, paths] = flagsAndPaths(words.filter((word) => !counts.includes(word)))
    const content = readAll(shell, name, paths.slice(operands), input)
    if (!Buffer.isBuffer(content)) return content
    const lines = content.toString().replace(/\n$/, '').split('\n')
    const kept = change(content.length > 0 ? lines : [], words)
    return {
      out: kept.map((line) => `${line}\n`).join(''),
      error: '',
      code: name === 'grep' && kept.length === 0 ? 1 : 0,
    }
  }
}

function count(words: string[]): number {
  const at = words.indexOf('-n')
  const short = words.find((word) => /^-\d+$/.test(word))
  return Number(at >= 0 ? words[at + 1] : (short?.slice(1) ?? 10)) || 10
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }

function echo(words: string[]): string {
  const end = words.findIndex((word) => !/^-[neE]+$/.test(word))
  const flags = words.slice(0, end < 0 ? words.length : end).join('')
  const text = words.slice(end < 0 ? words.length : end).join(' ')
  const said = flags.includes('e')
    ? text.replaceAll(/\\([ntr\\])/g, (_whole, mark: string) => escapes[mark] ?? '')
    : text
  return flags.includes('n') ? said : `${said}\n`
}

const commands: Record<string, Command> = {
  ...tools,
  ...terminalTools,
  ls,
  cat(shell, words, input) {
    const content = readAll(shell, 'cat', words, input)
    return Buffer.isBuffer(content) ? done(content) : content
  },
  echo: (_shell, words) => done(echo(words)),
  wait: () => done(),
  trap: () => done(),
  tee(shell, words, input) {
    const [flags, paths] = flagsAndPaths(words)
    for (const path of paths) {
      const before = flags.includes('a') ? shell.files.get(shell.resolve(path)) : undefined
      shell.write(path, Buffer.concat([before ?? Buffer.alloc(0), input]))
    }
    return done(input)
  },
  pwd: (shell) => done(`${shell.directory}\n`),
  cd(shell, [path = '/root']) {
    const full = shell.resolve(path)
    if (full !== '/' && !namesIn(shell.files, full))
      return failed(`sh: cd: can't cd to ${path}: No such file or directory`, 2)
    shell.directory = full
    return done()
  },
  env: (shell) =>
    done(
      Object.entries(shell.environment)
        .map(([key, value]) => `${key}=${value}\n`)
        .join(''),
    ),
  printenv(shell, [name]) {
    if (name === undefined)
      return done(
        Object.entries(shell.environment)
          .map(([key, value]) => `${key}=${value}\n`)
          .join(''),
      )
    const value = shell.environment[name]
    return value === undefined ? { out: '', error: '', code: 1 } : done(`${value}\n`)
  },
  hostname: (shell) => done(`${shell.environment['HOSTNAME'] ?? ''}\n`),
  whoami: () => done('root\n'),
  id: () => done('uid=0(root) gid=0(root) groups=0(root)\n'),
  date: (shell, words) => done(`${dateText(shell.nowMs ?? shell.cluster.clock.now(), words)}\n`),
  uname: (shell, words) =>
    done(
      words.includes('-a')
        ? `Linux ${shell.environment['HOSTNAME']} 6.12.43-sandbox #1 SMP x86_64 Linux\n`
        : 'Linux\n',
    ),
  ps(shell) {
    const { container } = shell
    const program =
      [...(container.command ?? []), ...(container.args ?? [])].join(' ') ||
      (container.image ?? '').split('/').at(-1)?.split(':')[0]
    return done(`PID   USER     TIME  COMMAND\n    1 root      0:00 ${program}\n   17 root      0:00 ps\n`)
  },
  df: () =>
    done(
      'Filesystem           1K-blocks      Used Available Use% Mounted on\noverlay              104857600  12582912  92274688  12% /\n',
    ),
  true: () => done(),
  false: () => ({ out: '', error: '', code: 1 }),
  sleep(shell, [seconds]) {
    const ms = sleepMs(seconds ?? '')
    if (ms === undefined) return failed(`sleep: invalid number '${seconds ?? ''}'`)
    if (shell.isProgram) shell.owedMs += ms
    else slept(shell.budget, ms / 1000)
    return done()
  },
  mkdir(shell, words) {
    for (const path of flagsAndPaths(words)[1])
      shell.files.set(posix.join(shell.resolve(path), '.keep'), Buffer.alloc(0))
    return done()
  },
  touch(shell, words) {
    for (const path of words) shell.write(path, shell.files.get(shell.resolve(path)) ?? Buffer.alloc(0))
    return done()
  },
  rm(shell, words) {
    const [flags, paths] = flagsAndPaths(words)
    for (const path of paths) {
      const full = shell.resolve(path)
      const below = [...shell.files.keys()].filter(
        (one) => one === full || (flags.includes('r') && one.startsWith(`${full}/`)),
      )
      if (below.length === 0 && !flags.includes('f'))
        return failed(`rm: can't remove '${path}': No such file or directory`)
      for (const one of below) shell.files.delete(one)
    }
    return done()
  },
  tar(shell, words, input) {
    const flags = words[0] ?? ''
    const at = words.indexOf('-C')
    const directory = shell.resolve(at >= 0 ? (words[at + 1] ?? '.') : '.')
    if (flags.includes('x')) {
      unpack(input, directory, shell.files)
      return done()
    }
    const path = words.at(-1) ?? ''
    const archive = pack(shell.resolve(path), shell.files, shell.cluster.clock.now())
    return archive ? done(archive) : failed(`tar: ${path}: No such file or directory`)
  },
  grep: filter(
    'grep',
    (lines, words) => {
      const [flags, rest] = flagsAndPaths(words)
      const wanted = rest[0] ?? ''
      const has = (line: string) =>
        flags.includes('i') ? line.toLowerCase().includes(wanted.toLowerCase()) : line.includes(wanted)
      return lines.filter((line) => has(line) !== flags.includes('v'))
    },
    1,
  ),
  head: filter('head', (lines, words) => lines.slice(0, count(words))),
  tail: filter('tail', (lines, words) => lines.slice(-count(words))),
  sort: filter('sort', (lines) => lines.toSorted()),
  wc: filter('wc', (lines) => [String(lines.length)]),
}

const longestLine = 64 * 1024

/** A small shell inside a simulated container: enough to look around, to copy files, and to script a little. */
export class Shell {
  readonly cluster: Cluster
  readonly pod: Pod
  readonly container: Container
  readonly files: Files
  environment: Record<string, string>
  /** What `$1`, `$2` and so on are. */
  positional: readonly string[] = []
  functions = new Map<string, Stage>()
  /** Inside a function, what its local variables were before. */
  locals: Map<string, string | undefined> | undefined
  directory: string
  /** Set once `exit` was called. */
  exitCode: number | undefined
  /** What `$?` is. */
  lastCode = 0
  /** Set where the shell stands at one. */
  terminal: Terminal | undefined
  /** What is left to the script that runs. */
  budget: Budget = newBudget()
  /** Whether the shell is its container's own program, which lives in time: what it sleeps, it waits. */
  isProgram = false
  /** How long a program still has to wait for what it has done. */
  owedMs = 0
  /** What time it is for a program; undefined where it is the clock's. */
  nowMs: number | undefined
  /** The steps of a program's command that this shell does not know; undefined where there is none such. */
  missing: ((words: string[]) => Steps | undefined) | undefined
  /** Set by `set -e`. */
  endsOnFailure = false

  constructor(cluster: Cluster, pod: Pod, container: Container) {
    this.cluster = cluster
    this.pod = pod
    this.container = container
    this.files = filesOf(cluster, pod, container)
    this.environment = environmentOf(cluster, pod, container)
    this.directory = container.workingDir ?? '/'
  }

  /** Sits the shell at a terminal of the size that most have, until it hears of another. */
  openTerminal(): void {
    this.terminal = { rows: 24, columns: 80 }
    this.environment['TERM'] ??= 'xterm'
  }

  /** Sees what others have written into its volumes. */
  refresh(): void {
    refreshFiles(this.cluster, this.pod, this.container, this.files)
  }

  resolve(path: string): string {
    return posix.resolve(this.directory, path.replace(/^~/, '/root'))
  }

  write(path: string, content: Buffer): void {
    this.files.set(this.resolve(path), content)
  }

  /** Whether the container has a program, which depends on its image. */
  has(command: string): boolean {
    return plays(this.container, command)
  }

  /** Runs one program with its arguments. */
  run(words: string[], input: Buffer = Buffer.alloc(0)): Result {
    const name = baseName(words[0] ?? '')
    const rest = words.slice(1)
    if (['sh', 'bash', 'ash'].includes(name)) {
      return runAtOnce(this, this.#shellSteps(rest, input))
    }
    if (name === 'exit') {
      this.exitCode = Number(rest[0] ?? this.lastCode) & 255
      return { out: '', error: '', code: this.exitCode }
    }
    const command = this.has(name) ? commands[name] : undefined
    return command ? command(this, rest, input) : failed(`sh: ${name}: not found`, 127)
  }

  /** Runs one program with its arguments, in time. */
  *runSteps(words: string[], input: Buffer = Buffer.alloc(0), sink?: Sink): Steps {
    const name = baseName(words[0] ?? '')
    if (['sh', 'bash', 'ash'].includes(name)) return yield* this.#shellSteps(words.slice(1), input, sink)
    const isServer = name === 'nc' && isListening(words)
    const unknown = this.isProgram && (isServer || !this.has(name)) ? this.missing?.(words) : undefined
    if (unknown) return yield* unknown
    const follows = name === 'tail' && words.some((word) => /^-[\dn+]*[fF]/.test(word))
    if (this.isProgram && follows) return yield* followFiles(this, words.slice(1), sink)
    return this.run(words, input)
  }

  *#shellSteps(words: string[], input: Buffer, sink?: Sink): Steps {
    return yield* this.isolatedSteps(() => this.#steps(words, input, sink))
  }

  *#steps(words: string[], input: Buffer, sink?: Sink): Steps {
    if (words.some((word) => /^-\w*e\w*c?$/.test(word))) this.endsOnFailure = true
    const at = words.findIndex((word) => /^-\w*c\w*$/.test(word))
    if (at >= 0) {
      this.positional = words.slice(at + 3)
      return yield* scriptSteps(this, words[at + 1] ?? '', input, sink)
    }
    const [path, ...operands] = words.filter((word) => !/^-[a-z]+$/.test(word))
    if (path === undefined) return yield* scriptSteps(this, input.toString(), Buffer.alloc(0), sink)
    const file = this.files.get(this.resolve(path))
    if (!file) return failed(`sh: can't open '${path}': No such file or directory`, 2)
    this.positional = operands
    return yield* scriptSteps(this, file.toString().slice(0, longestLine), input, sink)
  }

  /** Runs something that leaves no trace but its output and its files, as a shell of its own would. */
  *isolatedSteps(run: () => Steps): Steps {
    const { directory, environment, positional, functions, locals, exitCode, endsOnFailure } = this
    this.environment = { ...environment }
    this.functions = new Map(functions)
    try {
      const result = yield* run()
      this.lastCode = result.code
      return result
    } finally {
      Object.assign(this, { directory, environment, positional, functions, locals, exitCode, endsOnFailure })
    }
  }

  /** Runs what was typed, with a budget of its own. */
  script(text: string): Result {
    this.budget = newBudget()
    return runScript(this, text.slice(0, longestLine))
  }

  /** Whether a line opens something, such as a loop, that further lines have to close. */
  isUnfinished(text: string): boolean {
    return text.length < longestLine && isUnfinished(text)
  }
}

/** Whether this shell knows a program that the image has. */
export function plays({ image = '' }: Container, command: string): boolean {
  const name = baseName(command)
  if (name === 'curl' && /(^|\/)(busybox|alpine)(:|@|$)/.test(image)) return false
  return ['sh', 'bash', 'ash', 'exit'].includes(name) || Object.hasOwn(commands, name)
}

function baseName(command: string): string {
  return command.split('/').at(-1) ?? ''
}
