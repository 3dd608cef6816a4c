import type { ClientFrame, Command, Subscription, SubscriptionFacts } from '@bey/contract'
import { entityOf, subscriptionTable } from '@bey/contract'
import { numericIdText, uuid } from '@bey/contract/base/schema'
import { z } from 'zod'

const byIdKind = { number: numericIdText, uuid }

function schemaOf(kind: string, { of }: SubscriptionFacts): z.ZodObject {
  const idField = of ? { [of.idField]: byIdKind[entityOf(of.type).idKind] } : {}
  return z.object({ kind: z.literal(kind), ...idField })
}

const [first, ...others] = Object.entries(subscriptionTable).map(([kind, facts]) => schemaOf(kind, facts))
if (!first) throw new Error('Nothing can be followed')
// The table that the schemas are made from is the one that the type is made from.
const subscription = z.discriminatedUnion('kind', [first, ...others]) as unknown as z.ZodType<Subscription>

const command = z.object({
  type: z.enum(['SUBSCRIBE', 'UNSUBSCRIBE']),
  payload: subscription,
}) satisfies z.ZodType<Command>

const id = z.string().max(100)

const clientFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('AUTHENTICATE'),
    payload: z.object({ token: z.string().min(1).max(512), organizationId: numericIdText }),
  }),
  z.object({ type: z.literal('PING'), id, payload: z.object({ timestamp: z.number() }) }),
  z.object({ type: z.literal('COMMAND'), id, payload: command }),
]) satisfies z.ZodType<ClientFrame>

export type ReadFrame =
  | { kind: 'frame'; frame: ClientFrame }
  /** JSON with a type, yet nothing that we know; can be answered. */
  | { kind: 'unknown'; id: string; error: string }
  /** Not even that. */
  | { kind: 'broken' }

/** Reads what a client sent. Never throws. */
export function readClientFrame(text: string): ReadFrame {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') {
    return { kind: 'broken' }
  }
  const result = clientFrame.safeParse(value)
  if (result.success) return { kind: 'frame', frame: result.data }
  return { kind: 'unknown', id: idOf(value), error: whyNot(value.type, result.error) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function idOf(value: object): string {
  const given = 'id' in value ? id.safeParse(value.id).data : undefined
  return given ?? ''
}

function whyNot(type: string, error: z.ZodError): string {
  const [issue] = error.issues
  const path = issue?.path.join('.') ?? ''
  if (path === 'type') return `There is no message ${JSON.stringify(type.slice(0, 50))}`
  if (path === 'payload.type') return 'There is no such command; there are SUBSCRIBE and UNSUBSCRIBE'
  return `${path}: ${issue?.message ?? 'invalid'}`
}
