import { connect, type PeerCertificate } from 'node:tls'

import { z } from 'zod'

import type { Clock } from '../../../../platform/clock.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { Outbound } from '../../../../platform/outbound/outbound.ts'
import type { ActionStepType } from '../step-type.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  host: z.string().min(1).max(253).meta({ title: 'Host', description: 'E.g. example.org.' }),
  port: z.number().int().min(1).max(65_535).default(443).meta({ title: 'Port' }),
  timeout_ms: z
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(10_000)
    .meta({ title: 'Time limit', 'x-widget': 'duration' }),
})
type Config = z.output<typeof config>

const dayMs = 86_400_000

export function certificateCheck(parts: { outbound: Outbound; clock: Clock }): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'certificate.check',
    label: 'Check certificate',
    group: 'HTTP and scripts',
    icon: 'shield-check',
    description: 'Reads the certificate of a TLS server and tells when it expires.',
    guaranteeNote: 'It only reads.',
    config,
    example: { host: 'example.org' },
    output: {
      type: 'object',
      properties: {
        subject: { type: 'string' },
        issuer: { type: 'string' },
        expires_at: { type: 'string', format: 'date-time' },
        days_left: { type: 'integer' },
        is_trusted: { type: 'boolean' },
      },
    },
    test: 'pure',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    async execute(context, given) {
      const { certificate, isTrusted } = await readCertificate(parts.outbound, given, context.signal)
      const expiresAt = new Date(certificate.valid_to)
      const daysLeft = Math.floor((expiresAt.getTime() - parts.clock.now().getTime()) / dayMs)
      context.log(`${given.host}:${given.port} expires in ${daysLeft} days`)
      return {
        subject: [certificate.subject.CN].flat().join(', '),
        issuer: [certificate.issuer.CN].flat().join(', '),
        expires_at: expiresAt.toISOString(),
        days_left: daysLeft,
        is_trusted: isTrusted,
      }
    },
  }
}

function readCertificate(
  outbound: Outbound,
  { host, port, timeout_ms: timeoutMs }: Config,
  signal: AbortSignal,
) {
  return new Promise<{ certificate: PeerCertificate; isTrusted: boolean }>((resolve, reject) => {
    const refusal = outbound.refusalOfHost(host)
    if (refusal !== undefined) return reject(new StepFailure(`Not connected: ${refusal.message}.`))
    const socket = connect({
      host,
      port,
      servername: /^[\d.:[\]]+$/.test(host) ? '' : host,
      lookup: outbound.lookup,
      // An expired or unknown certificate is what is looked for; nothing is sent.
      rejectUnauthorized: false,
    })
    const fail = (message: string, reason: 'timeout' | 'network') => {
      socket.destroy()
      reject(new StepFailure(message, { reason }))
    }
    const abort = () => {
      socket.destroy()
      reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled'))
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.setTimeout(timeoutMs, () => fail(`${host}:${port} did not answer in time.`, 'timeout'))
    socket.once('error', () => fail(`${host}:${port} could not be reached over TLS.`, 'network'))
    socket.once('close', () => signal.removeEventListener('abort', abort))
    socket.once('secureConnect', () => {
      resolve({ certificate: socket.getPeerCertificate(), isTrusted: socket.authorized })
      socket.destroy()
    })
  })
}
