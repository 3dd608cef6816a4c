import { posix } from 'node:path'
import type { Cluster } from '../api/context.ts'
import type { Container, Pod } from '../types.ts'
import { environmentOf, filesOf, type Files } from './container-files.ts'
import { pack, unpack } from './tar.ts'

/** What a command has said, and how it ended. */
export type Result = { out: string | Buffer; error: string; code: number }

function done(out: string | Buffer = ''): Result {
  return { out, error: '', code: 0 }
}

function failed(error: string, code = 1): Result {
  return { out: '', error: `${error}\n`, code }
}

type Command = (shell: Shell, words: string[], input: Buffer) => Result

function listing(files: Files, directory: string): string[] | undefined {
  const base = directory === '/' ? '/' : `${directory}/`
  const names = new Set<string>()
  for (const path of files.keys()) {
    if (path.startsWith(base)) names.add(path.slice(base.length).split('/')[0] ?? '')
  }
  return names.size > 0 ? [...names].toSorted() : undefined
}

function flagsAndPaths(words: string[]): [flags: string, paths: string[]] {
  return [
    words.filter((word) => word.startsWith('-')).join(''),
    words.filter((word) => !word.startsWith('-')),
  ]
}

function ls(shell: Shell, words: string[]): Result {
  const [flags, paths] = flagsAndPaths(words)
  let out = ''
  for (const path of paths.length > 0 ? paths : ['.']) {
    const full = shell.resolve(path)
    const names = listing(shell.files, full)?.filter((name) => flags.includes('a') || !name.startsWith('.'))
    if (!names && !shell.files.has(full)) return failed(`ls: ${path}: No such file or directory`)
    const shown = names ?? [path]
    if (!flags.includes('l')) out += shown.map((name) => `${name}\n`).join('')
    else {
      for (const name of shown) {
        const file = shell.files.get(names ? posix.join(full, name) : full)
        const mode = file ? '-rw-r--r--' : 'drwxr-xr-x'
        out += `${mode}    1 root     root     ${String(file?.length ?? 4096).padStart(8)} Jan  1 00:00 ${name}\n`
      }
    }
  }
  return done(out)
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

const commands: Record<string, Command> = {
  ls,
  cat(shell, words, input) {
    const content = readAll(shell, 'cat', words, input)
    return Buffer.isBuffer(content) ? done(content) : content
  },
  echo: (_shell, words) => done(words[0] === '-n' ? words.slice(1).join(' ') : `${words.join(' ')}\n`),
  pwd: (shell) => done(`${shell.directory}\n`),
  cd(shell, [path = '/root']) {
    const full = shell.resolve(path)
    if (full !== '/' && !listing(shell.files, full))
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
  date: (shell) => done(`${new Date(shell.cluster.clock.now()).toUTCString()}\n`),
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
  sleep: () => done(),
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
  test(shell, [flag, path = '']) {
    const full = shell.resolve(path)
    const isDirectory = listing(shell.files, full) !== undefined
    const isTrue =
      flag === '-d'
        ? isDirectory
        : flag === '-f'
          ? shell.files.has(full)
          : isDirectory || shell.files.has(full)
    return { out: '', error: '', code: isTrue ? 0 : 1 }
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

function split(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

const longestLine = 64 * 1024

/** A small shell inside a simulated container: enough to look around, to copy files, and to script a little. */
export class Shell {
  readonly cluster: Cluster
  readonly container: Container
  readonly files: Files
  readonly environment: Record<string, string>
  directory: string
  /** Set once `exit` was called. */
  exitCode: number | undefined

  constructor(cluster: Cluster, pod: Pod, container: Container) {
    this.cluster = cluster
    this.container = container
    this.files = filesOf(cluster, pod, container)
    this.environment = environmentOf(cluster, pod, container)
    this.directory = container.workingDir ?? '/'
  }

  resolve(path: string): string {
    return posix.resolve(this.directory, path.replace(/^~/, '/root'))
  }

  write(path: string, content: Buffer): void {
    this.files.set(this.resolve(path), content)
  }

  has(command: string): boolean {
    return (
      ['sh', 'bash', 'ash', 'exit'].includes(baseName(command)) || Object.hasOwn(commands, baseName(command))
    )
  }

  /** Runs one program with its arguments. */
  run(words: string[], input: Buffer = Buffer.alloc(0)): Result {
    const name = baseName(words[0] ?? '')
    const rest = words.slice(1)
    if (['sh', 'bash', 'ash'].includes(name)) {
      const script = rest.find((_word, i) => /^-\w*c\w*$/.test(rest[i - 1] ?? ''))
      return this.script(script ?? input.toString())
    }
    if (name === 'exit') {
      this.exitCode = Number(rest[0] ?? 0) & 255
      return { out: '', error: '', code: this.exitCode }
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    return command ? command(this, rest, input) : failed(`sh: ${name}: not found`, 127)
  }

  /** Runs a line or script: `;`, `&&`, `||`, pipes, `>` and `>>`, variables. */
  script(text: string): Result {
    const outs: Buffer[] = []
    let error = ''
    let code = 0
    const parts = text.slice(0, longestLine).split(/(;|\n|&&|\|\|)/)
    for (let i = 0; i < parts.length && this.exitCode === undefined; i += 2) {
      const joint = parts[i - 1]
      if ((joint === '&&' && code !== 0) || (joint === '||' && code === 0)) continue
      const part = (parts[i] ?? '').trim()
      if (part === '' || part.startsWith('#')) continue
      const result = this.#pipeline(part)
      outs.push(Buffer.from(result.out))
      error += result.error
      code = result.code
    }
    return { out: Buffer.concat(outs), error, code: this.exitCode ?? code }
  }

  #pipeline(text: string): Result {
    const [, body = text, mode, target] = /^(.*?)\s*(>>?)\s*([^\s>|]+)$/.exec(text) ?? []
    let input: Buffer = Buffer.alloc(0)
    let error = ''
    let code = 0
    for (const stage of body.split('|')) {
      const expanded = stage.replaceAll(
        /\$\{?(\w+)\}?/g,
        (_whole, key: string) => this.environment[key] ?? '',
      )
      const assignment = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(\S*)\s*$/.exec(expanded)
      if (assignment?.[1] !== undefined) {
        this.environment[assignment[1]] = assignment[2] ?? ''
        continue
      }
      const result = this.run(split(expanded), input)
      input = Buffer.from(result.out)
      error += result.error
      code = result.code
    }
    if (target === undefined) return { out: input, error, code }
    const old = mode === '>>' ? this.files.get(this.resolve(target)) : undefined
    this.write(target, old ? Buffer.concat([old, input]) : input)
    return { out: '', error, code }
  }
}

function baseName(command: string): string {
  return command.split('/').at(-1) ?? ''
}
