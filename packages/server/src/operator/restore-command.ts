import { chmod, mkdir, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { chooseAccount } from '../platform/db/embedded/account.ts'
import { isEntered } from '../platform/db/embedded/reach.ts'
import { parseWrappedKey } from '../platform/crypto/wrapped-key.ts'
import { ConfigError } from '../platform/errors.ts'
import { createAddressGuard } from '../platform/outbound/address-guard.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { openPlace, splitAddress } from './backup/place.ts'
import { readManifest } from './backup/stored-backups.ts'
import { drillBackup, keepRootKey, restoreBackup } from './backup/restore-backup.ts'
import type { OperatorCall } from './operator-call.ts'
import { readRootKey } from './read-root-key.ts'

export const restoreUsage = `bey restore <backup or its place> --into <empty directory> [--key-file <file>] [--json]
bey restore <backup or its place> --check [--key-file <file>] [--json]

Restores a Bey into an empty data directory, and compares it with what was backed up. The root key is that of BEY_SECRET_KEY, of
--key-file, or of secret.key in the directory; the key service opens a
wrapped one, for which the backup is enough. Then start Bey with BEY_DATA_DIR=<directory>. With --check all of it is restored into a temporary
directory, compared, and removed.`

/** Restores a backup; answers the exit code, 1 where what was restored is not what was backed up. */
export async function restoreCommand({ args, config, log, out, note, path, signal }: OperatorCall) {
  const { values, positionals } = parseArgs({
    args,
    options: {
      into: { type: 'string' },
      check: { type: 'boolean' },
      'key-file': { type: 'string' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [address] = positionals
  const isCheck = values.check === true
  if (address === undefined || positionals.length > 1 || (values.into === undefined) !== isCheck)
    throw new ConfigError(`Say what to restore, and where to.\n\n${restoreUsage}`)
  const into = values.into === undefined ? await mkdtemp(join(tmpdir(), 'bey-check-')) : resolve(values.into)
  const { to, id } = splitAddress(address)
  const place = openPlace(to, {
    backup: config.instanceBackup,
    mibPerSecond: undefined,
    outbound: createOutbound(createAddressGuard(config.outbound)),
    machineId: 'operator',
  })
  const keyFile = values['key-file'] === undefined ? undefined : resolve(values['key-file'])
  const found = await readRootKey(
    { ...config, dataDir: isCheck ? config.dataDir : into },
    {
      keyFile,
      // Not verified yet: what it opens has to be the key that the manifest was signed with.
      async fallback() {
        const { manifest } = await readManifest(place.plain, id, signal)
        return manifest.wrappedRootKey === undefined ? undefined : parseWrappedKey(manifest.wrappedRootKey)
      },
    },
  )
  const { rootKey } = found
  await makePassable(into)
  const beganMs = performance.now()
  const { databaseUrl, instanceBackup } = config
  const options = { place, id, rootKey, key: instanceBackup.key, path, signal, log }
  const { manifest, verification } = isCheck
    ? await drillBackup({ ...options, directory: into })
    : await restoreBackup({ ...options, into, databaseUrl })
  if (!isCheck) await keepRootKey(into, found.place)
  const seconds = (performance.now() - beganMs) / 1000
  if (values.json === true) out(`${JSON.stringify({ id: manifest.id, seconds, ...verification }, null, 2)}\n`)
  else {
    const { tables, rows, secrets, problems } = verification
    note(
      [
        `${isCheck ? 'Checked' : 'Restored'} ${manifest.id} of ${manifest.consistentAt}${isCheck ? '' : ` into ${into}`} in ${seconds.toFixed(1)} s.`,
        `  Compared ${tables} tables with ${rows} rows; ${secrets} values of secrets open.`,
        ...problems.map((each) => `  ✗ ${each}`),
        problems.length === 0
          ? `  All of it is as it was.${isCheck ? '' : ` Start Bey with BEY_DATA_DIR=${into}.`}`
          : '  It is not what was backed up.',
        '',
      ].join('\n'),
    )
  }
  return verification.problems.length === 0 ? 0 : 1
}

/** Lets the account of the database pass through the directory, as the start of a server does. */
async function makePassable(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 })
  const { server } = await chooseAccount()
  if (server === undefined || (await isEntered(directory, server.uid))) return
  if (await isEntered(dirname(directory), server.uid)) {
    await chmod(directory, (await stat(directory)).mode | 0o011)
  }
}
