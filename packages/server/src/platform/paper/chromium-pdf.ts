import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid, kill } from 'node:process'
import { pathToFileURL } from 'node:url'

const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * A longer page is printed without the marks that screen readers use: of 50 pages they take twenty times the size and a
 * third of the time. The page itself and the CSV file can be read in their place.
 */
const maxTaggedLength = 100_000

/** Of one print. Memory is that of each process of Chromium. */
const limits = { timeoutMs: 30_000, memoryKib: 2_097_152, maxBytes: 50_000_000 }

/** Path of the Chromium of this machine: the one that the operator named, else one of the usual places. */
export function findChromium(named: string | undefined): string | undefined {
  return named ?? usualPlaces.find((place) => existsSync(place))
}

/**
 * Prints a page in a Chromium of its own that is ended afterwards. The page must forbid itself to load anything; besides,
 * the browser knows no name of a host and no proxy that answers. Throws where Chromium does not start, takes more than 30
 * seconds or 2 GiB, or writes no file.
 */
export async function printByChromium(chromium: string, html: string): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'bey-paper-'))
  try {
    const page = join(directory, 'paper.html')
    const file = join(directory, 'paper.pdf')
    await writeFile(page, html)
    await runToEnd(
      chromium,
      [
        ...(html.length > maxTaggedLength ? ['--disable-pdf-tagging'] : []),
        ...argumentsOf(page, file, join(directory, 'profile')),
      ],
      directory,
    )
    const { size } = await stat(file)
    if (size > limits.maxBytes) throw new Error(`The printed paper has ${size} bytes`)
    return await readFile(file)
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

function argumentsOf(page: string, file: string, profile: string): string[] {
  return [
    '--headless',
    '--disable-gpu',
    '--no-first-run',
    '--disable-extensions',
    '--disable-background-networking',
    '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--proxy-server=http://127.0.0.1:9',
    // Chromium refuses to start its own sandbox as root.
    ...(getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--user-data-dir=${profile}`,
    '--no-pdf-header-footer',
    `--print-to-pdf=${file}`,
    pathToFileURL(page).href,
  ]
}

/** The shell sets the limit of memory, which Node cannot, and becomes the browser. */
function runToEnd(chromium: string, args: readonly string[], home: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      '/bin/sh',
      ['-c', `ulimit -d ${limits.memoryKib}; exec "$0" "$@"`, chromium, ...args],
      {
        stdio: 'ignore',
        detached: true,
        cwd: home,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, TMPDIR: home, LANG: 'C.UTF-8' },
      },
    )
    const endAll = () => {
      // The browser and its own processes are one group.
      if (child.pid !== undefined && child.exitCode === null) kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(() => {
      endAll()
      reject(new Error(`Chromium did not print within ${limits.timeoutMs} ms`))
    }, limits.timeoutMs)
    child.once('error', (cause) => {
      clearTimeout(timer)
      reject(new Error('Chromium could not be started', { cause }))
    })
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve()
      else reject(new Error(`Chromium ended with ${code ?? signal}`))
    })
  })
}
