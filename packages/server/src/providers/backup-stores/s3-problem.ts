import type { BucketAccess } from '../../features/databases/backup-targets/backup-places.ts'
import {
  BackupStoreProblem,
  type BackupStoreProblemKind,
} from '../../platform/backups/backup-store-problem.ts'
import { causes } from '../../platform/errors.ts'
import { connectionSentence } from '../../platform/outbound/connection-sentence.ts'
import { OutboundRefused } from '../../platform/outbound/outbound.ts'
import { endpointOf } from './s3-client.ts'

type Sentence = readonly [BackupStoreProblemKind, (place: BucketAccess, host: string) => string]

const keyUnknown: Sentence = [
  'denied',
  ({ accessKeyId }, host) => `${host} does not know the access key ${accessKeyId}. Enter one that it has.`,
]
const expired: Sentence = [
  'denied',
  ({ accessKeyId }) => `The access key ${accessKeyId} has expired. Enter a new one.`,
]
const denied: Sentence = [
  'denied',
  ({ accessKeyId, bucket }) =>
    `The access key ${accessKeyId} may not do this in the bucket ${bucket}. It needs to list the bucket and to read, write and delete its objects.`,
]
const otherRegion: Sentence = [
  'denied',
  ({ bucket, region }) =>
    `The bucket ${bucket} is not in the region ${region}. Enter the region where it is.`,
]
const busy: Sentence = [
  'unavailable',
  (_place, host) => `${host} is overloaded or out of order. Try again later.`,
]

/** Codes of https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, which other services use too. */
const sentences: Readonly<Record<string, Sentence>> = {
  NoSuchBucket: [
    'denied',
    ({ bucket }, host) => `${host} has no bucket ${bucket}. Create it, or enter the name of one that exists.`,
  ],
  InvalidBucketName: [
    'denied',
    ({ bucket }, host) => `${host} does not take ${bucket} as the name of a bucket.`,
  ],
  InvalidAccessKeyId: keyUnknown,
  UnrecognizedClientException: keyUnknown,
  SignatureDoesNotMatch: [
    'denied',
    ({ accessKeyId }) =>
      `The secret access key is not that of the access key ${accessKeyId}. Enter it again.`,
  ],
  ExpiredToken: expired,
  TokenRefreshRequired: expired,
  InvalidToken: expired,
  AccessDenied: denied,
  AllAccessDisabled: denied,
  AccountProblem: denied,
  Forbidden: denied,
  RequestTimeTooSkewed: [
    'denied',
    (_place, host) =>
      `The clock of this server differs from that of ${host} by more than it accepts. Set the clock.`,
  ],
  PermanentRedirect: otherRegion,
  AuthorizationHeaderMalformed: otherRegion,
  IllegalLocationConstraintException: otherRegion,
  EntityTooLarge: ['denied', (_place, host) => `The object is larger than ${host} takes.`],
  QuotaExceeded: ['full', ({ bucket }) => `The bucket ${bucket} is full.`],
  XMinioStorageFull: ['full', ({ bucket }) => `The storage of the bucket ${bucket} is full.`],
  SlowDown: busy,
  ServiceUnavailable: busy,
  InternalError: busy,
  RequestTimeout: busy,
}

const codesOfStatus: Readonly<Record<number, string>> = { 301: 'PermanentRedirect', 403: 'Forbidden' }

/** The sentence for what a service or the way to it failed with; errors of others are answered as they are. */
export function s3Problem(error: unknown, place: BucketAccess, key?: string): unknown {
  if (error instanceof BackupStoreProblem) return error
  const { host } = endpointOf(place)
  const { name, status } = answerOf(error)
  if (key !== undefined && (name === 'NoSuchKey' || name === 'NotFound')) {
    const text = `The bucket ${place.bucket} has no ${key}: it was removed or never stored.`
    return new BackupStoreProblem('absent', text, { cause: error })
  }
  const sentence =
    sentences[name] ??
    sentences[codesOfStatus[status ?? 0] ?? ''] ??
    ((status ?? 0) >= 500 ? busy : undefined)
  if (sentence) return new BackupStoreProblem(sentence[0], sentence[1](place, host), { cause: error })
  if (status !== undefined) {
    return new BackupStoreProblem('unavailable', `${host} answered ${status} (${name.slice(0, 60)}).`, {
      cause: error,
    })
  }
  const failed = connectionError(error)
  if (failed === undefined) return error
  const kind = failed instanceof OutboundRefused ? 'denied' : 'unavailable'
  return new BackupStoreProblem(kind, connectionSentence(failed, host), { cause: error })
}

function answerOf(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: '', status: undefined }
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined
  const hasStatus = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
  const status = hasStatus ? metadata.httpStatusCode : undefined
  return { name: error.name, status: typeof status === 'number' ? status : undefined }
}

/** The error of a socket, a name or TLS among the causes; a time-out of the client counts as one. */
function connectionError(error: unknown): Error | undefined {
  for (const cause of causes(error)) {
    if (!(cause instanceof Error)) continue
    if (cause.name === 'TimeoutError') return Object.assign(new Error(cause.message), { code: 'ETIMEDOUT' })
    if ('code' in cause && typeof cause.code === 'string') return cause
  }
  return undefined
}
