import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installFromDebian } from './debian-server.mjs'
import { root } from './workspace.mjs'

// The last version of OpenAPI Generator that brings its program in the package itself, and what makes the document readable to it.
const generator = [
  '@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2',
  '@apiture/openapi-down-convert@0.14.2',
]
const modules = ['urllib3', 'six', 'dateutil', 'certifi']
const packages = modules.map((name) => `python3-${name}`)

/**
 * What the test of the Python client needs, as `directory of the generator|python`; undefined where Java, Python with what
 * generated clients import, or the generator is not there and cannot be installed, for instance offline.
 */
export function ensurePythonClient() {
  const hasJava = () => spawnSync('java', ['-version']).status === 0
  if (!hasJava()) installFromDebian(['default-jre-headless'])
  if (!hasJava()) return undefined
  const python = findPython() ?? (installFromDebian(['python3', ...packages]), findPython())
  if (python === undefined) return undefined
  const dir = join(root, 'node_modules/.cache/python-client')
  const jar = join(dir, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar')
  if (!existsSync(jar)) {
    console.log('Installing OpenAPI Generator for the test of the Python client …')
    mkdirSync(dir, { recursive: true })
    const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--silent']
    spawnSync('npm', ['install', '--prefix', dir, ...quiet, ...generator], {
      stdio: 'ignore',
      timeout: 180_000,
    })
  }
  return existsSync(jar) ? `${dir}|${python}` : undefined
}

function findPython() {
  return ['python3', '/usr/bin/python3'].find(
    (command) => spawnSync(command, ['-c', `import ${modules.join(', ')}`]).status === 0,
  )
}
