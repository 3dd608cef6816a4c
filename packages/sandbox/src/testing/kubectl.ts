import { execFile, spawn, spawnSync } from 'node:child_process'
import { readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { textAt } from '../json.ts'

export type Kubectl = {
  /** Such as `1.33`. */
  version: string
  path: string
}

const oldest = 30

function versionOf(path: string): string | undefined {
  const { stdout, status } = spawnSync(path, ['version', '--client', '-o', 'json'], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (status !== 0) return undefined
  const minor = Number.parseInt(textAt(JSON.parse(stdout), 'clientVersion', 'minor') ?? '', 10)
  return minor >= oldest ? `1.${minor}` : undefined
}

/** Every `kubectl` and `kubectl.1.NN` in a directory; some distributions keep several beside each other. */
function inDirectory(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name === 'kubectl' || Number(/^kubectl\.1\.(\d+)$/.exec(name)?.[1]) >= oldest)
      .map((name) => join(dir, name))
  } catch (error) {
    // A directory of PATH that there is not.
    void error
    return []
  }
}

/** The kubectls of 1.30 and newer on this machine, one of each version, the newest first. */
export function findKubectls(): Kubectl[] {
  const own = process.env['BEY_KUBECTL']
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap(inDirectory)
  const beside = onPath.flatMap((path) => inDirectory(dirname(realpathSync(path))))
  const paths = own
    ? own.split(delimiter)
    : [...new Set([...onPath, ...beside, ...inDirectory('/usr/lib/google-cloud-sdk/bin')])]
  const found = new Map<string, Kubectl>()
  for (const path of paths) {
    const version = versionOf(path)
    if (version !== undefined && !found.has(version)) found.set(version, { version, path })
  }
  return [...found.values()].toSorted((a, b) => b.version.localeCompare(a.version))
}

export type Ran = { out: string; code: number }

/** Runs kubectl as a person would; `'…'` keeps words together. */
export class KubectlRunner {
  readonly #path: string
  readonly #arguments: string[]

  constructor({ path, version }: Kubectl, dir: string) {
    this.#path = path
    this.#arguments = ['--kubeconfig', join(dir, 'kubeconfig'), '--cache-dir', join(dir, `cache-${version}`)]
  }

  run(line: string, env: Record<string, string> = {}): Promise<Ran> {
    const options = { timeout: 120_000, env: { ...process.env, ...env } }
    return new Promise((done) => {
      execFile(this.#path, [...this.#arguments, ...words(line)], options, (error, stdout, stderr) => {
        done({ out: stdout + stderr, code: typeof error?.code === 'number' ? error.code : error ? 1 : 0 })
      })
    })
  }

  /**
   * Runs until the output is as wanted, then lets `then` look, and ends it. Fails with the output when it ends before, and
   * when it has not come after two minutes.
   */
  async until(
    line: string,
    wanted: RegExp,
    then: (out: string) => Promise<void> = async () => undefined,
  ): Promise<string> {
    const child = spawn(this.#path, [...this.#arguments, ...words(line)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let timer: NodeJS.Timeout | undefined
    const found = new Promise<void>((done, fail) => {
      timer = setTimeout(
        () => fail(new Error(`kubectl ${line} did not say ${String(wanted)}: ${out}`)),
        120_000,
      )
      const hear = (part: Buffer) => {
        out += part.toString()
        if (wanted.test(out)) done()
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('exit', (code) => fail(new Error(`kubectl ${line} ended with ${code}: ${out}`)))
    })
    try {
      await found
      await then(out)
    } finally {
      clearTimeout(timer)
      child.removeAllListeners('exit')
      child.kill('SIGKILL')
    }
    return out
  }
}

function words(line: string): string[] {
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/s, '$1'))
}
