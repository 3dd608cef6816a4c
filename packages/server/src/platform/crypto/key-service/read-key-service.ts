import { ConfigError } from '../../errors.ts'
import { parseWrappedKey, type WrappedKey } from '../wrapped-key.ts'
import { type KmsSettings, readKms } from './read-kms.ts'
import { readTimeout, type Setting } from './read-settings.ts'
import { readTransit, type TransitSettings } from './read-transit.ts'

export type KeyServiceConfig = (
  | { kind: 'transit'; settings: TransitSettings }
  | { kind: 'kms'; settings: KmsSettings }
) & {
  /** The setting that says that there is one. */
  setting: string
  /** How long a start waits for the service, and by which setting. */
  timeoutMs: number
  timeoutSetting: string
  /** Of BEY_SECRET_KEY_WRAPPED; undefined: the file in the data directory. */
  wrapped: WrappedKey | undefined
}

/** How the settings are named in messages that do not know which service there is. */
export const serviceSettings = 'BEY_TRANSIT_URL or BEY_KMS_KEY'

/** Reads which key service has the root key; undefined where none has. Throws ConfigError. */
export function readKeyService(setting: Setting): KeyServiceConfig | undefined {
  const transit = readTransit(setting)
  const kms = readKms(setting)
  if (transit !== undefined && kms !== undefined)
    throw new ConfigError(
      'BEY_TRANSIT_URL and BEY_KMS_KEY are both set. Unset the one that does not have the root key.',
    )
  const text = setting('BEY_SECRET_KEY_WRAPPED')
  const wrapped = text === undefined ? undefined : parseWrappedKey(text)
  if (transit === undefined && kms === undefined) {
    if (text === undefined) return undefined
    throw new ConfigError(
      `BEY_SECRET_KEY_WRAPPED is set without a key service. Set ${serviceSettings} to the one that opens it.`,
    )
  }
  if (text !== undefined && wrapped === undefined) {
    throw new ConfigError(
      'BEY_SECRET_KEY_WRAPPED is not a wrapped root key. Set BEY_SECRET_KEY_WRAPPED to what bey root-key wrap printed.',
    )
  }
  const timeoutSetting = transit === undefined ? 'BEY_KMS_TIMEOUT_SECONDS' : 'BEY_TRANSIT_TIMEOUT_SECONDS'
  const shared = { timeoutMs: readTimeout(setting, timeoutSetting), timeoutSetting, wrapped }
  if (transit !== undefined)
    return { kind: 'transit', settings: transit, setting: 'BEY_TRANSIT_URL', ...shared }
  return kms && { kind: 'kms', settings: kms, setting: 'BEY_KMS_KEY', ...shared }
}
