import { workflowLimits } from '@bey/contract'
import { z } from 'zod'

import type { Clock } from '../../../../platform/clock.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { evaluateCondition } from '../../definition/expressions/evaluate.ts'
import { ExpressionError } from '../../definition/expressions/expression-error.ts'
import { guaranteedBy } from '../guarantee.ts'
import type { OutboundReply, SendRequest } from '../outbound-request.ts'
import type { ActionStepType } from '../step-type.ts'

const config = z.strictObject({
  method: z
    .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    .default('GET')
    .meta({ title: 'Method' }),
  url: z
    .string()
    .min(1)
    .max(8_000)
    .refine((text) => URL.canParse(text), 'Not an address such as https://example.org/path.')
    .meta({ title: 'Address' }),
  headers: z
    .record(z.string().min(1).max(200), z.string().max(16_384))
    .default({})
    .meta({ title: 'Headers', 'x-widget': 'map' }),
  body: z.unknown().optional().meta({
    title: 'Body',
    description: 'A text is sent as it is; anything else as JSON.',
    'x-widget': 'json',
  }),
  success: z
    .string()
    .min(1)
    .max(workflowLimits.expressionChars)
    .default('response.status < 300')
    .meta({
      title: 'Succeeds when',
      description: 'CEL expression over response.status, response.headers and response.body.',
      'x-widget': 'expression',
      'x-expression': ['response'],
    }),
  idempotency_key: z.boolean().default(false).meta({
    title: 'Send Idempotency-Key',
    description:
      'The same header for each attempt of this step, so that the other side recognizes a repetition.',
  }),
  timeout_ms: z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .meta({ title: 'Time limit', 'x-widget': 'duration' }),
})

/** Methods whose repetition has the same effect (RFC 9110 section 9.2.2). */
const repeatable = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']

export function http(parts: { sendRequest: SendRequest; clock: Clock }): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'http',
    label: 'HTTP request',
    group: 'HTTP and scripts',
    icon: 'globe',
    description:
      'Sends one request and checks the answer. Redirects are not followed; answers have at most 1 MB.',
    guaranteeNote:
      'GET, HEAD, PUT, DELETE and OPTIONS are repeatable; POST and PATCH are with an Idempotency-Key that the other side recognizes.',
    config,
    example: { method: 'GET', url: 'https://example.org/health', success: 'response.status == 200' },
    output: {
      type: 'object',
      properties: {
        status: { type: 'integer' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: { description: 'Parsed where the answer is JSON, else text.' },
        duration_ms: { type: 'integer' },
      },
    },
    test: 'real_only',
    guarantee: guaranteedBy(
      config,
      [
        { field: 'method', values: repeatable, guarantee: 'at_least_once_keyed' },
        { field: 'idempotency_key', values: [true], guarantee: 'at_least_once_keyed' },
      ],
      'at_least_once',
    ),
    async execute(context, given) {
      const startedAt = parts.clock.monotonicMs()
      const isText = typeof given.body === 'string'
      const reply = await parts.sendRequest({
        method: given.method,
        url: given.url,
        headers: {
          ...(given.body !== undefined && !isText && { 'content-type': 'application/json' }),
          ...lowerCase(given.headers),
          ...(given.idempotency_key && { 'idempotency-key': context.idempotencyKey }),
        },
        ...(given.body !== undefined && {
          body: typeof given.body === 'string' ? given.body : JSON.stringify(given.body),
        }),
        timeoutMs: given.timeout_ms,
        signal: context.signal,
      })
      const durationMs = Math.round(parts.clock.monotonicMs() - startedAt)
      const output = { status: reply.status, headers: reply.headers, body: bodyOf(reply) }
      context.log(`${given.method} ${new URL(given.url).host}: ${reply.status} after ${durationMs} ms`)
      requireSuccess(given.success, output)
      return { ...output, duration_ms: durationMs }
    },
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function bodyOf({ headers, text }: OutboundReply): unknown {
  if (!/^application\/([\w.-]+\+)?json\b/.test(headers['content-type'] ?? '')) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The other side says JSON and sends something else: that is for the success expression to judge.
    return text
  }
}

function requireSuccess(expression: string, response: { status: number }): void {
  const isSuccess = orFailure(() => evaluateCondition(expression, { response }))
  if (isSuccess) return
  const { status } = response
  const reason = status === 429 ? 'rate_limited' : status >= 500 ? 'server_error' : 'error'
  throw new StepFailure(`The answer has the status ${status}, and "${expression}" is not true for it.`, {
    reason,
  })
}

function orFailure<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new StepFailure(`success: ${error.message}`, { cause: error })
  }
}
