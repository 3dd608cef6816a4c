import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

import { freePort } from '../providers/sandbox/directory-and-port.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const named = process.env['BEY_TEST_PROMETHEUS']

/** The program of Prometheus; undefined where there is none: tests that need it are then skipped. */
export const prometheusPath = [named, '/usr/bin/prometheus'].find(
  (path) => path !== undefined && existsSync(path),
)

/** A Prometheus that takes remote write and scrapes nothing, for one test. Answers its address. */
export async function startPrometheus(program: string): Promise<string> {
  const directory = temporaryDirectory()
  const config = join(directory, 'prometheus.yml')
  writeFileSync(config, 'scrape_configs: []\n')
  const port = await freePort(undefined)
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await over
  })
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('Server is ready to receive web requests')) {
      child.stderr.resume()
      return `http://127.0.0.1:${port}`
    }
  }
  throw new Error('Prometheus ended before it was ready')
}
