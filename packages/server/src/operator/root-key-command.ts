import { chown, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import type { Config } from '../config.ts'
import { type KeyServiceConfig, serviceSettings } from '../platform/crypto/key-service/read-key-service.ts'
import { keyFileName, locateRootKey, wrapRootKey } from '../platform/crypto/root-key.ts'
import {
  formatWrappedKey,
  readWrappedFile,
  wrappedFileName,
  writeKeyText,
  writeWrappedFile,
} from '../platform/crypto/wrapped-key.ts'
import { ConfigError } from '../platform/errors.ts'
import type { OperatorCall } from './operator-call.ts'
import { type FoundRootKey, readRootKey } from './read-root-key.ts'

export const rootKeyUsage = `bey root-key wrap [--key-file <file>] [--json]
bey root-key unwrap [--to <file>] [--json]

Moves the root key to the key service of BEY_TRANSIT_URL or BEY_KMS_KEY and back. wrap lets the service encrypt the root key of BEY_SECRET_KEY, of
--key-file, or of secret.key in the data directory, opens it again as proof, and writes secret.key.wrapped beside it; one that is wrapped
already is wrapped anew, by the newest version of the service's key. unwrap lets the service open it and writes it to --to, or to
secret.key in the data directory. Neither removes anything.`

/** Wraps or unwraps the root key; answers the exit code. */
export async function rootKeyCommand({ args, config, out, note }: OperatorCall): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { 'key-file': { type: 'string' }, to: { type: 'string' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [verb, ...more] = positionals
  if ((verb !== 'wrap' && verb !== 'unwrap') || more.length > 0)
    throw new ConfigError(`Say wrap or unwrap.\n\n${rootKeyUsage}`)
  if (config.keyService === undefined) throw new ConfigError(`Set ${serviceSettings} to the key service.`)
  const { result, text } = await (verb === 'wrap'
    ? wrap(config, config.keyService, values['key-file'])
    : unwrap(config, values.to))
  if (values.json === true) out(`${JSON.stringify(result, null, 2)}\n`)
  else note(text)
  return 0
}

async function wrap(config: Config, keyService: KeyServiceConfig, keyFile: string | undefined) {
  const { rootKey } = await keyToWrap(config, keyService, keyFile)
  const wrapped = await wrapRootKey(rootKey.key, keyService, undefined)
  const file = join(config.dataDir, wrappedFileName)
  await mkdir(config.dataDir, { recursive: true, mode: 0o755 })
  await writeWrappedFile(file, wrapped, true)
  await giveToOwner(file)
  const { fingerprint } = wrapped
  return {
    result: { fingerprint, file, wrapped: formatWrappedKey(wrapped) },
    text: `Wrapped the root key ${fingerprint} into ${file}, and the key service opened it again.
  Keep that file with your backups: it is no secret, and nothing that is encrypted can be read without it.
  Elsewhere give it by BEY_SECRET_KEY_WRAPPED=${formatWrappedKey(wrapped)}
  Then unset BEY_SECRET_KEY, move ${keyFileName} out of the data directory, and restart Bey.
`,
  }
}

/** A plain one, else the wrapped one. Throws ConfigError where there are two that differ. */
async function keyToWrap(
  config: Config,
  keyService: KeyServiceConfig,
  keyFile: string | undefined,
): Promise<FoundRootKey> {
  const { secretKey, dataDir } = config
  if (secretKey !== undefined || keyFile !== undefined)
    return readRootKey(
      { secretKey, keyService: undefined, dataDir },
      { keyFile: keyFile && resolve(keyFile) },
    )
  const inFile = await readWrappedFile(join(dataDir, wrappedFileName))
  const wrapped = keyService.wrapped ?? inFile
  if (wrapped === undefined) return readRootKey({ secretKey, keyService: undefined, dataDir })
  const found = await readRootKey(config)
  const plain = await locateRootKey({ secretKey, keyService: undefined, dataDir }).catch((error: unknown) => {
    // There is only the wrapped one.
    if (error instanceof ConfigError) return undefined
    throw error
  })
  if (plain?.kind !== 'file' || plain.key.equals(found.rootKey.key)) return found
  throw new ConfigError(
    `${join(dataDir, keyFileName)} holds another root key than the wrapped one, ${wrapped.fingerprint}. Name the file by --key-file to wrap it instead, or move it away.`,
  )
}

async function unwrap(config: Config, to: string | undefined) {
  const { rootKey, place } = await readRootKey(config)
  if (place.kind !== 'service') throw new ConfigError('The root key is not wrapped.')
  const file = to === undefined ? join(config.dataDir, keyFileName) : resolve(to)
  if (!(await writeKeyText(file, rootKey.key.toString('base64'), false)))
    throw new ConfigError(`${file} exists already and was not replaced. Name another file by --to.`)
  await giveToOwner(file)
  const { fingerprint } = rootKey
  return {
    result: { fingerprint, file },
    text: `Unwrapped the root key ${fingerprint} into ${file}, readable by its owner alone.
  To run without the key service, unset ${serviceSettings} and BEY_SECRET_KEY_WRAPPED, put it at ${keyFileName} in the data directory or
  into BEY_SECRET_KEY, and restart Bey. To keep it as a copy, move it to a place that is offline.
`,
  }
}

/** Run as root, the file belongs to the account of the server all the same, as its directory does. */
async function giveToOwner(file: string): Promise<void> {
  const { uid, gid } = await stat(dirname(file))
  await chown(file, uid, gid).catch((error: NodeJS.ErrnoException) => {
    // Whoever is not root has made it as the account that runs this.
    if (error.code !== 'EPERM') throw error
  })
}
