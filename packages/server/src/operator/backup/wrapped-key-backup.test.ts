import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { startMain } from '../../testing/main-child.ts'
import { runOperator } from '../../testing/operator-child.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { transitServer } from '../../testing/transit-server.ts'

test('a backup is restored on an empty machine by the key service alone, and its root key stays wrapped', async () => {
  const [dataDir, to, elsewhere] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()]
  for (const each of [dataDir, to, elsewhere]) chmodSync(each, 0o755)
  const vault = await transitServer()
  vault.addKey('bey')
  const token = vault.addToken('transit/encrypt/bey', 'transit/decrypt/bey')
  const transit = {
    BEY_TRANSIT_URL: vault.url,
    BEY_TRANSIT_TOKEN: token.value,
    BEY_TRANSIT_TIMEOUT_SECONDS: '2',
  }
  const server = await startMain({ ...transit, BEY_DATA_DIR: dataDir, BEY_SECRET_KEY: '' })
  const made = await runOperator(['backup', '--to', to, '--json'], { ...transit, BEY_DATA_DIR: dataDir })
  expect([made.code, made.notes]).toEqual([0, ''])
  await server.stop()
  const wrapped = readFileSync(join(dataDir, 'secret.key.wrapped'), 'utf8')
  const { id, wrappedRootKey } = JSON.parse(made.out) as { id: string; wrappedRootKey: string }
  expect(`${wrappedRootKey}\n`).toBe(wrapped)

  const into = join(elsewhere, 'restored')
  const restore = (env: Record<string, string>) =>
    runOperator(['restore', join(to, id), '--into', into, '--json'], env)
  const without = await restore({})
  expect([without.code, without.notes]).toEqual([
    1,
    expect.stringContaining('where a key service has it, set BEY_TRANSIT_URL'),
  ])
  const other = vault.addToken('transit/encrypt/bey').value
  const denied = await restore({ ...transit, BEY_TRANSIT_TOKEN: other })
  expect([denied.code, denied.notes]).toEqual([1, expect.stringContaining('The token may not decrypt')])
  const restored = await restore(transit)
  expect([restored.code, restored.notes]).toEqual([0, ''])
  expect(JSON.parse(restored.out)).toMatchObject({ id, problems: [] })
  expect(readFileSync(join(into, 'secret.key.wrapped'), 'utf8')).toBe(wrapped)
  expect(readdirSync(into)).not.toContain('secret.key')
  const copy = await startMain({ ...transit, BEY_DATA_DIR: into, BEY_SECRET_KEY: '' })
  expect((await fetch(`${copy.url}/health`)).status).toBe(200)
})
