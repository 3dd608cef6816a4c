import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { decimal } from './prices.ts'
import { timestamp } from '../base/schema.ts'

export const statementFormats = ['pdf', 'csv', 'focus'] as const
export type StatementFormat = (typeof statementFormats)[number]

const statement = z
  .object({
    /** From 1, without gaps. */
    number: z.number().int(),
    /** `2026-10`, of the time zone that the books were in. */
    month: z.string(),
    from: timestamp,
    to: timestamp,
    timeZone: z.string(),
    currency: z.string(),
    /** The sum of all lines, corrections included. */
    total: decimal,
    /** What the lines of the month itself add up to, and the corrections of earlier months. */
    usageTotal: decimal,
    correctionTotal: decimal,
    lineCount: z.number().int(),
    /** Earlier months that it corrects, each with the difference. */
    corrections: z.array(z.object({ month: z.string(), amount: decimal, text: z.string() })).max(120),
    /** Versions of the prices that it was made with; 0 is the example. */
    priceVersions: z.array(z.number().int()).max(50),
    frozenAt: timestamp,
    /** Whether seeded usage is among it. */
    isSeeded: z.boolean(),
  })
  .meta({ id: 'Statement' })
export type Statement = z.infer<typeof statement>

const path = '/api/billing/statements'
const params = z.object({ number: z.coerce.number().int().min(1).max(1_000_000) })

export const statementEndpoints = {
  'statements.list': endpoint({
    method: 'GET',
    path,
    summary: 'Statements of the organization, the newest first',
    access: 'billing.readAll',
    response: z.object({
      statements: z.array(statement).max(600),
      /** When the current month is frozen, and what is so until then. */
      next: z.object({ month: z.string(), at: timestamp, text: z.string() }),
      /** Months that are over and not frozen yet, the oldest first: minutes after they end, or those before the first start. */
      due: z.array(z.string()).max(120),
    }),
  }),
  'statements.close': endpoint({
    method: 'POST',
    path: `${path}/close`,
    summary: 'Freeze a month that is over, and every month before it that is not frozen',
    access: 'billing.manage',
    keys: 'none',
    body: z.strictObject({
      month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Send a month like 2026-11.'),
    }),
    response: z.object({ number: z.number().int(), text: z.string() }),
    errors: ['not_found', 'conflict'],
    outdates: ['/api/billing'],
  }),
  'statements.get': endpoint({
    method: 'GET',
    path: `${path}/{number}`,
    summary: 'One statement with its sums by service',
    access: 'billing.readAll',
    params,
    response: statement.extend({
      services: z.array(z.object({ service: z.string(), name: z.string(), amount: decimal })).max(20),
      /** Whether it and its corrections equal the ledger as it is now, to the last digit. */
      proof: z.object({ isEqual: z.boolean(), ledger: decimal, billed: decimal, text: z.string() }),
    }),
  }),
  'statements.download': endpoint({
    method: 'GET',
    path: `${path}/{number}/download`,
    summary: 'A statement as a file: PDF to sign, CSV of its lines, or CSV by FOCUS 1.0',
    access: 'billing.readAll',
    params,
    query: z.object({ format: z.enum(statementFormats).default('csv') }),
    response: { mediaType: 'text/csv', alternatives: ['application/pdf'] },
    errors: ['not_found', 'rate_limited'],
  }),
} as const
