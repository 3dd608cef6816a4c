// `npm start`: installs, builds and serves. Everything is skipped that is up to date.
// `npm start -- --demo`: the same, with the address of a demo that signs its visitor in.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, finishBuild, nodePath, root, run } from './workspace.mjs'

const known = {
  '--demo': 'also prints an address that opens a demo organization, once, on this machine alone',
  '--help': 'says this',
}
const options = process.argv.slice(2)
const unknown = options.find((option) => !(option in known))
if (unknown !== undefined || options.includes('--help')) {
  const lines = Object.entries(known).map(([option, effect]) => `  npm start -- ${option}   ${effect}`)
  if (unknown !== undefined) console.error(`npm start knows no ${unknown}. It knows:`)
  console.log(lines.join('\n'))
  process.exit(unknown === undefined ? 0 : 2)
}

const serverEnvironment = {
  NODE_ENV: 'production',
  // Compiled modules are kept: the next start takes two thirds of the time.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compiled'),
}

try {
  const isFirst = await ensureInstalled({ withTests: false })
  await Promise.all([ensureBuilt({ isStart: true }), isFirst && prepareServer()])
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

// Requests leave garbage that is gone at once: with a smaller young generation, collecting it is a tenth of their cost.
const server = spawn(nodePath(), ['--max-semi-space-size=32', join(root, 'packages/server/src/main.ts')], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...serverEnvironment,
    ...(options.includes('--demo') && { BEY_DEMO: '1' }),
  },
})
// The next start tries again what this one did not finish.
finishBuild().catch((error) => {
  if (!isStopping) console.error(error.message)
})
// The terminal sends Ctrl+C to the whole group; the server decides when it is done.
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isStopping = true
    server.kill(signal)
  })
}
server.on('error', (error) => {
  console.error(`The server could not be started: ${error.message}`)
  process.exit(1)
})
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

/** Beside the build, which leaves a part of the processors idle: the first start of the server then takes half the time. */
function prepareServer() {
  return run(nodePath(), [join(root, 'packages/server/src/prepare.ts')], {
    capture: true,
    env: serverEnvironment,
  })
}
