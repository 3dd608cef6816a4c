import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// Chromium without the windows of a desktop: the same engine for less than half of the processor time.
const headlessShells = ['/usr/bin/chromium-headless-shell']
const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Path of a Chromium for the browser tests: the headless shell where there is one or Debian brings it, else any
 * Chromium of this machine, else Playwright's own, which is installed.
 */
export async function ensureChromium() {
  const asked = process.env.BEY_CHROMIUM
  if (asked && !existsSync(asked)) throw new Error(`BEY_CHROMIUM is ${asked}, and there is no such file.`)
  const found = asked ?? find(headlessShells) ?? installFromDebian() ?? find(browsers)
  if (found) return found
  const shell = spawnSync('npx', ['playwright', 'install', '--only-shell', 'chromium'], { stdio: 'inherit' })
  const { chromium } = await import('@playwright/test')
  if (shell.status === 0 && existsSync(chromium.executablePath())) return chromium.executablePath()
  throw new Error('The browser tests need Chromium. Install it and set BEY_CHROMIUM to its path.')
}

/** The headless shell as a package, as root on Debian. Undefined where that is not possible, for instance offline. */
function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  console.log('Installing the headless shell of Chromium …')
  const options = {
    stdio: 'ignore',
    timeout: 120_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  const impatient = ['-qq', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=10']
  spawnSync('apt-get', ['update', ...impatient], options)
  spawnSync(
    'apt-get',
    ['install', '-y', ...impatient, '--no-install-recommends', 'chromium-headless-shell'],
    options,
  )
  return find(headlessShells)
}

function find(places) {
  return places.find((place) => existsSync(place))
}
