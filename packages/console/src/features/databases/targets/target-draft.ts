import type { BackupTarget } from '@bey/contract'
import { bucketNameError, nameError, prefixError, s3EndpointError } from '@bey/contract'
import type { FieldErrors } from '../../../lib/use-submission.ts'

/** The settings of a bucket as they are typed. */
export interface TargetDraft {
  name: string
  /** Empty: Amazon S3. */
  endpoint: string
  region: string
  bucket: string
  prefix: string
  accessKeyId: string
  /** Empty: the one that is stored. */
  secretAccessKey: string
}

export const emptyTarget: TargetDraft = {
  name: '',
  endpoint: '',
  region: '',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  secretAccessKey: '',
}

export function draftOf(target: BackupTarget): TargetDraft {
  const { name, endpoint, region, bucket, prefix, accessKeyId } = target
  return { name, endpoint: endpoint ?? '', region, bucket, prefix, accessKeyId, secretAccessKey: '' }
}

/** What is sent of a draft: its name aside, how the bucket is reached. */
export function accessOf(draft: TargetDraft) {
  const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey } = draft
  return {
    endpoint: endpoint.trim() === '' ? null : endpoint.trim(),
    region: region.trim(),
    bucket: bucket.trim(),
    prefix: prefix.trim(),
    accessKeyId: accessKeyId.trim(),
    secretAccessKey: secretAccessKey.trim(),
  }
}

/** What is wrong with a draft, by field. A new target needs its secret access key. */
export function invalidIn(draft: TargetDraft, isNew: boolean): FieldErrors {
  const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey } = accessOf(draft)
  const name = draft.name.trim()
  const problems: Record<string, string | undefined> = {
    name: name === '' ? 'Enter a name for the target.' : nameError(name),
    endpoint: endpoint === null ? undefined : s3EndpointError(endpoint),
    region: /^[a-z0-9-]+$/.test(region)
      ? undefined
      : 'Use lower-case letters, digits and hyphens, such as eu-central-1.',
    bucket: bucketNameError(bucket),
    prefix: prefixError(prefix),
    accessKeyId: accessKeyId === '' ? 'Enter an access key.' : undefined,
    secretAccessKey: isNew && secretAccessKey === '' ? 'Enter a secret access key.' : undefined,
  }
  return Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) => (problem === undefined ? [] : [[field, problem]])),
  )
}
