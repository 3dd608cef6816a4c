import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { mcpBounds } from '@bey/contract'
import { AppError } from '../../platform/errors.ts'
import type { Acted, CallOrigin } from './call-tool.ts'
import type { ActTool, Plan, ToolContext } from './tool.ts'

type CarryOut = {
  server: McpServer['server']
  tool: ActTool
  context: ToolContext
  origin: CallOrigin
  planId: string
  plan: Plan
}

/** Carries a plan out; what destroys is first confirmed by a person, unless the key says that it needs nobody. */
export async function carryOut(parts: CarryOut): Promise<Acted> {
  const { context, plan, planId } = parts
  const note = plan.question === undefined ? undefined : await confirm(parts, plan.question)
  const { summary, runId } = await plan.apply(context, planId)
  const { before, after, warnings = [] } = plan.details ?? {}
  return {
    kind: 'act',
    ...(note !== undefined && { note }),
    result: {
      isApplied: true,
      plan: null,
      needsConfirmation: false,
      before: before ?? null,
      after: after ?? null,
      warnings,
      runId: runId ?? null,
      summary,
      leftOut: [],
    },
  }
}

/** Asks the person at the client. Answers who agreed, for the audit trail; throws AppError unless somebody did. */
async function confirm({ server, tool, origin }: CarryOut, question: string): Promise<string> {
  const { caller, signal, requestId, hasEnded } = origin
  if (caller.key?.permissions.has('assistants.unattended')) return 'Confirmed by the permission of the key.'
  if (server.getClientCapabilities()?.elicitation === undefined)
    throw new AppError(
      'forbidden',
      `${tool.name} needs the confirmation of a person here, and this client cannot ask for one. Do it in the console, or use a key with the permission assistants.unattended.`,
    )
  const answered = await server
    .elicitInput(
      {
        mode: 'form',
        message: question,
        requestedSchema: {
          type: 'object',
          properties: {
            confirm: {
              type: 'boolean',
              title: 'Yes, do it',
              description: 'It cannot be undone.',
              default: false,
            },
          },
          required: ['confirm'],
        },
      },
      { signal, timeout: mcpBounds.confirmationMinutes * 60_000, relatedRequestId: requestId },
    )
    .catch((cause: unknown) => {
      const why = hasEnded()
        ? 'The session ended while a person was asked'
        : `No answer came within ${mcpBounds.confirmationMinutes} minutes`
      throw new AppError(
        'forbidden',
        `${why}, so nothing was done. Call ${tool.name} without plan for a new plan.`,
        {
          cause,
        },
      )
    })
  if (answered.action === 'accept' && answered.content?.['confirm'] === true)
    return 'Confirmed by a person at the client.'
  throw new AppError(
    'forbidden',
    'The person did not agree, so nothing was done. Ask what they would like instead.',
  )
}
