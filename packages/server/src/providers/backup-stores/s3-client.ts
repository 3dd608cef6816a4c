import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

import type { S3Client } from '@aws-sdk/client-s3'

import type { BucketAccess } from '../../features/databases/backup-targets/backup-places.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { trustOptions } from '../../platform/outbound/tls-options.ts'

const connectionTimeoutMs = 10_000
const idleTimeoutMs = 120_000

/** The address that requests of a place go to: what was named, or that of Amazon. */
export function endpointOf({ endpoint, region }: Pick<BucketAccess, 'endpoint' | 'region'>): URL {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return new URL(endpoint ?? `https://s3.${region}.${suffix}`)
}

/**
 * A client whose connections go to allowed addresses only: names are resolved by `outbound`, which checks what they
 * resolve to as it connects. Throws OutboundRefused for an endpoint that is an address which is not allowed.
 */
export async function openS3Client(place: BucketAccess, outbound: Outbound): Promise<S3Client> {
  const { S3Client: Client } = await import('@aws-sdk/client-s3')
  const endpoint = endpointOf(place)
  const refusal = outbound.refusalOfHost(endpoint.hostname)
  if (refusal) throw refusal
  const { lookup } = outbound
  return new Client({
    region: place.region,
    endpoint: endpoint.origin,
    // Services of one's own rarely have a name for each bucket; one with a dot fits no certificate of Amazon's.
    forcePathStyle: place.endpoint !== null || place.bucket.includes('.'),
    credentials: { accessKeyId: place.accessKeyId, secretAccessKey: place.secretAccessKey },
    requestHandler: {
      httpAgent: new HttpAgent({ keepAlive: true, lookup }),
      httpsAgent: new HttpsAgent({ keepAlive: true, lookup, ...trustOptions('') }),
      connectionTimeout: connectionTimeoutMs,
      socketTimeout: idleTimeoutMs,
    },
    // Services of others do not know the checksums that Amazon added; the content is verified by its encryption.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}
