import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll } from 'vitest'

/**
 * A program `pg_dump` before all others on the PATH of this test file, for what the real one of a machine does not do: it
 * has the version, does what `script` says in the language of sh, and keeps its arguments and environment. Within a test
 * give `onTestFinished`: the end of the file is not heard of there, and the program would stay for the files that follow.
 */
export function fakePgDump(version: string, script: string, whenOver: (end: () => void) => void = afterAll) {
  const dir = mkdtempSync(join(tmpdir(), 'bey-fake-dump-'))
  const file = join(dir, 'pg_dump')
  const kept = join(dir, 'kept')
  const write = (next: { version: string; script: string }) =>
    writeFileSync(
      file,
      `#!/bin/sh
[ "$1" = --version ] && { echo "pg_dump (PostgreSQL) ${next.version}"; exit 0; }
{ echo "$@"; env; echo "PID=$$"; } > ${kept}
${next.script}
`,
      { mode: 0o755 },
    )
  write({ version, script })
  const before = process.env['PATH']
  process.env['PATH'] = `${dir}:${before ?? ''}`
  whenOver(() => {
    process.env['PATH'] = before
    rmSync(dir, { recursive: true, force: true })
  })
  return {
    file,
    write,
    /** Its arguments and its environment, when it was last run. */
    lastRun() {
      const [args = '', ...lines] = readFileSync(kept, 'utf8').trimEnd().split('\n')
      const env = Object.fromEntries(
        lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
      )
      return { args, env: env as Record<string, string | undefined> }
    },
  }
}
