import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult, RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { act } from '../../platform/act.ts'
import { throughAssistant } from '../../platform/audit/assistant.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { issueText } from '../../platform/http/issue-text.ts'
import { mayDo, whyNot } from '../../platform/keys/key-rights.ts'
import type { Log } from '../../platform/log.ts'
import { boundedResult } from './bounded-result.ts'
import { callerApi } from './call-api.ts'
import { carryOut } from './carry-out.ts'
import type { Plans } from './plans.ts'
import { recordedArguments } from './recorded-arguments.ts'
import type { ActTool, Tool, ToolContext } from './tool.ts'
import { tools } from './tools/table.ts'

export type CallParts = {
  http: FastifyInstance
  database: Database
  clock: Clock
  log: Log
  plans: Plans
  server: McpServer['server']
}
type Asked = { name: string; arguments?: Record<string, unknown> | undefined }
/** The request that is answered: what is asked of a person travels along with its reply. */
export type CallOrigin = {
  caller: TenantCaller
  /** Aborts when the client takes the call back, and when the session ends. */
  signal: AbortSignal
  hasEnded(): boolean
  requestId: RequestId
}
export type Acted = { kind: 'read' | 'plan' | 'act'; result: object; note?: string }

/** Runs a tool for a caller and records it. Never throws: a refusal is a result with the sentence that says why. */
export function callTool(parts: CallParts, asked: Asked, origin: CallOrigin): Promise<CallToolResult> {
  return throughAssistant(async (): Promise<CallToolResult> => {
    const { caller } = origin
    const tool = tools.find(({ name }) => name === asked.name)
    const given = asked.arguments ?? {}
    try {
      if (tool === undefined) throw new AppError('not_found', unknownTool(asked.name, caller))
      requirePermissions(tool, caller)
      const { kind, result, note } = await run(parts, tool, parse(tool, given), origin)
      await record(parts, caller, tool.name, given, { kind, ...(note !== undefined && { note }) })
      return resultOf(result)
    } catch (error) {
      const message = messageOf(error, parts.log, caller)
      const kind = tool?.effect === 'act' ? (given['plan'] === undefined ? 'plan' : 'act') : 'read'
      const outcome = error instanceof AppError && error.code === 'forbidden' ? 'denied' : 'failure'
      await record(parts, caller, asked.name.slice(0, 100), given, { kind, outcome, note: message }).catch(
        (cause: unknown) => parts.log.warn({ err: cause }, 'A call of an assistant was not recorded'),
      )
      return { isError: true, content: [{ type: 'text', text: message }] }
    }
  })
}

async function run(parts: CallParts, tool: Tool, input: object, origin: CallOrigin): Promise<Acted> {
  const context: ToolContext = {
    ...callerApi(parts.http, origin.caller),
    caller: origin.caller,
    now: () => parts.clock.now(),
  }
  if (tool.effect === 'read') return { kind: 'read', result: await tool.run(context, input) }
  return planOrCarryOut(parts, tool, context, input, origin)
}

async function planOrCarryOut(
  { plans, server }: CallParts,
  tool: ActTool,
  context: ToolContext,
  given: object,
  origin: CallOrigin,
): Promise<Acted> {
  const { plan: planId, ...input } = given as { plan?: string }
  if (planId !== undefined)
    return carryOut({ server, tool, context, origin, planId, plan: plans.take(planId, tool.name, input) })
  const plan = await tool.plan(context, input)
  const { details = {}, question } = plan
  return {
    kind: 'plan',
    result: {
      isApplied: false,
      plan: plans.keep(tool.name, input, plan),
      needsConfirmation: question !== undefined,
      before: details.before ?? null,
      after: details.after ?? null,
      warnings: details.warnings ?? [],
      runId: null,
      summary: `Dry run, nothing was changed. ${plan.summary}`,
      leftOut: [],
    },
  }
}

function requirePermissions({ name, needs }: Tool, caller: TenantCaller): void {
  for (const permission of needs) {
    const reason = whyNot(caller, permission)
    if (reason !== undefined)
      throw new AppError('forbidden', `The tool ${name} is not yours to use: ${reason}`)
  }
}

function unknownTool(name: string, caller: TenantCaller): string {
  const usable = tools.filter(({ needs }) => needs.every((each) => mayDo(caller, each)))
  return `There is no tool "${name.slice(0, 100)}". There are ${usable.map((tool) => tool.name).join(', ')}.`
}

function parse({ name, input }: Tool, given: object): object {
  const parsed = input.safeParse(given, { error: issueText })
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.slice(0, 10).map((issue) => sentenceOf(issue))
  throw new AppError('invalid_request', `The arguments of ${name} are wrong. ${wrong.join(' ')}`)
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `There is no argument ${issue.keys.slice(0, 5).join(', ')}.`
  const text = /[.!?]$/.test(issue.message) ? issue.message : `${issue.message}.`
  return `${issue.path.join('.')}: ${text}`
}

function resultOf(result: object): CallToolResult {
  const shown = boundedResult(result)
  return { content: [{ type: 'text', text: JSON.stringify(shown) }], structuredContent: shown }
}

function messageOf(error: unknown, log: Log, { requestId }: TenantCaller): string {
  if (error instanceof AppError) return error.message
  log.error({ err: error, requestId }, 'A tool of an assistant failed')
  return `Bey failed at this; it is a defect of the server, and not of the call. Its log says more under ${requestId}.`
}

type Recorded = { kind: Acted['kind']; outcome?: 'denied' | 'failure'; note?: string }

/** One entry a call, beside those of what it did. */
async function record(
  { database }: CallParts,
  caller: TenantCaller,
  tool: string,
  given: Record<string, unknown>,
  { kind, outcome, note }: Recorded,
): Promise<void> {
  await database.withTenant(caller.organizationId, (db) =>
    act(db, caller, {
      action: `assistant.${kind}`,
      class: kind === 'act' ? 'execute' : 'read',
      target: { type: 'tool', name: tool },
      ...(outcome && { outcome }),
      diff: { arguments: recordedArguments(given), ...(note !== undefined && { reason: note }) },
    }),
  )
}
