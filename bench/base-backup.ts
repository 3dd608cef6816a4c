import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Pg from 'pg'

import { databasePlans } from '../packages/contract/src/databases/rules.ts'
import { compressed } from '../packages/server/src/features/databases/backups/compressed.ts'
import { seal, unseal } from '../packages/server/src/platform/crypto/sealed-box.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { directoryStore } from '../packages/server/src/providers/backup-stores/directory-store.ts'
import { encryptedStore } from '../packages/server/src/providers/backup-stores/encrypted-store.ts'
import { createEmbeddedDatabases } from '../packages/server/src/providers/databases/embedded.ts'
import { root as repository } from '../tools/source-files.ts'
import { report } from './figure.ts'
import { median } from './process-figures.ts'

// The driver belongs to the server's workspace.
const { Client } = createRequire(join(repository, 'packages/server/package.json'))('pg') as typeof Pg

const rows = 2_000_000
const rounds = 5

/** A base backup, compressed and encrypted, against `cp` of the same files; both until they are on the disk. */
export async function run(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'bey-bench-backup-'))
  await chmod(root, 0o755)
  const databases = createEmbeddedDatabases({
    root,
    machineId: 'bench',
    log: createLog({ level: 'fatal', write: () => undefined }),
    budgetBytes: databasePlans.small.memoryBytes,
    sandboxBytes: async () => 0,
  })
  try {
    const database = { id: 'shop', name: 'shop', databaseName: 'shop', username: 'shop' }
    const subject = { ...database, plan: databasePlans.small }
    const { signal } = new AbortController()
    const place = await databases.choosePlacement('shop', null)
    await databases.reserve(subject, place, { log: () => undefined, signal })
    await databases.initialize(place, { log: () => undefined, signal })
    await databases.start(subject, place)
    await databases.setUp(subject, place, 'bench')
    const client = new Client(await databases.connection(place, 'shop'))
    await client.connect()
    await client.query(
      `create table public.orders as select n, md5(n::text) as key, now() as at, 'some usual text of order ' || n as note
       from generate_series(1, ${rows}) n`,
    )
    await client.query('create index on public.orders (key)')
    await client.query('checkpoint')
    await client.end()

    const key = randomBytes(32)
    const store = encryptedStore(directoryStore(join(root, 'store'), 'bench'), {
      wrap: async (dataKey, context) => seal(key, dataKey, context),
      unwrap: async (wrapped, context) => unseal(key, wrapped, context),
    })
    const options = { label: 'bench', signal, onCopied: () => undefined }
    const times = { copy: [] as number[], backup: [] as number[] }
    let copiedBytes = 0
    // In turns, for a machine may be quick now and slow a minute later.
    for (let round = 0; round < rounds; round += 1) {
      const copy = join(root, 'copy')
      let startedAt = performance.now()
      execFileSync('cp', ['-r', join(place.dir, 'postgres', 'base'), copy])
      execFileSync('sync', ['-f', copy])
      times.copy.push(performance.now() - startedAt)
      await rm(copy, { recursive: true })
      startedAt = performance.now()
      const made = await databases.files.backUp(place, options, (tar) =>
        store.put('backup', compressed(tar), signal),
      )
      times.backup.push(performance.now() - startedAt)
      copiedBytes = made.facts.copiedBytes
    }
    const megabytes = copiedBytes / 1e6
    report({
      name: 'base backup, speed against cp',
      value: median(times.copy) / median(times.backup),
      unit: '×',
      goal: 0.7,
      isAtLeast: true,
      detail: `${Math.round(megabytes)} MB in ${Math.round(median(times.backup))} ms, cp in ${Math.round(median(times.copy))} ms`,
      cause: 'it compresses, hashes and encrypts on the way; cp of files that memory holds does neither',
    })
  } finally {
    await databases.stopAll()
    await rm(root, { recursive: true, force: true })
  }
}
