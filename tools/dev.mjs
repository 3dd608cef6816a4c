// `npm run dev`: the server restarts when its sources change, and Vite serves the console at http://localhost:5173.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, nodePath, root, toolEnvironment } from './workspace.mjs'

await ensureInstalled()
const env = toolEnvironment({
  NODE_ENV: 'development',
  BEY_DEVELOPER_EMAIL: process.env.BEY_DEVELOPER_EMAIL ?? 'developer@bey.local',
})
const children = [
  spawn(nodePath(), ['--watch', '--watch-preserve-output', join(root, 'packages/server/src/main.ts')], {
    stdio: 'inherit',
    env,
  }),
  spawn(nodePath(), [join(root, 'node_modules/vite/bin/vite.js')], {
    stdio: 'inherit',
    env,
    cwd: join(root, 'packages/console'),
  }),
]
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => children.forEach((child) => child.kill(signal)))
for (const child of children) child.on('exit', () => children.forEach((other) => other.kill('SIGTERM')))
