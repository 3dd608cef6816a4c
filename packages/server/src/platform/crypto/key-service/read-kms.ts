import { ConfigError } from '../../errors.ts'
import { readServiceUrl, type Setting } from './read-settings.ts'

export type KmsSettings = {
  /** The id, ARN or alias (`alias/…`) of the key. */
  key: string
  region: string
  /** Without a slash at the end; undefined: the one of AWS in that region. */
  endpoint: string | undefined
}

/** Reads `BEY_KMS_KEY` and those that belong to it; undefined where it is not set. Throws ConfigError. */
export function readKms(setting: Setting): KmsSettings | undefined {
  const key = setting('BEY_KMS_KEY')
  if (key === undefined) return undefined
  const ofArn = /^arn:aws[\w-]*:kms:([a-z\d-]+):\d{12}:(?:key|alias)\/[\w/-]+$/.exec(key)?.[1]
  if (ofArn === undefined && !/^(alias\/[\w/-]{1,250}|[\w-]{1,128})$/.test(key)) {
    throw new ConfigError(
      `BEY_KMS_KEY is "${key}". Set BEY_KMS_KEY to the id, the ARN or an alias of a key, such as alias/bey.`,
    )
  }
  const region = setting('BEY_KMS_REGION') ?? ofArn
  if (region === undefined)
    throw new ConfigError(
      'BEY_KMS_KEY is set without BEY_KMS_REGION. Set BEY_KMS_REGION to the region of the key.',
    )
  if (!/^[a-z\d-]{1,40}$/.test(region) || (ofArn !== undefined && region !== ofArn)) {
    throw new ConfigError(
      `BEY_KMS_REGION is "${region}". Set BEY_KMS_REGION to the region of the key, such as eu-central-1.`,
    )
  }
  const endpoint = setting('BEY_KMS_ENDPOINT')
  return {
    key,
    region,
    endpoint:
      endpoint === undefined
        ? undefined
        : readServiceUrl('BEY_KMS_ENDPOINT', endpoint, {
            example: 'https://kms.eu-central-1.amazonaws.com',
            hint: 'they are those that AWS gives to the server.',
          }),
  }
}
