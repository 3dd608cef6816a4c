import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../../platform/clock.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { mayDo } from '../../platform/keys/key-rights.ts'
import { callTool, type CallParts } from './call-tool.ts'
import { authInfoOf, callerOf } from './caller-of.ts'
import { serveGuidance } from './guidance.ts'
import { createPlans } from './plans.ts'
import { describeTool } from './describe-tool.ts'
import { tools } from './tools/table.ts'

/** A conversation with one client, from its `initialize` until it ends. */
export type McpSession = {
  id: string
  /** Answers one message that the caller sent; `message` is its parsed body. */
  handle(request: Request, message: unknown, caller: TenantCaller): Promise<Response>
  close(): Promise<void>
}

type Extra = { authInfo?: Parameters<typeof callerOf>[0]; signal: AbortSignal; requestId: RequestId }

/** Runs a tool for whoever sent the message that asks for it. */
export type CallTool = (
  asked: { name: string; arguments?: Record<string, unknown> | undefined },
  extra: Extra,
) => Promise<CallToolResult>

export type SessionParts = Omit<CallParts, 'plans' | 'server'> & { version: string }

const instructions =
  'Bey is a console of Kubernetes clusters, workflows, databases and secrets. Begin with needs_attention, then explain_failure and what_changed. A tool that acts makes a dry run first and answers a plan; show it to the person before you give its id back to carry it out. Ask blast_radius before you delete anything. Results are cut to a bounded size: leftOut says what is missing.'

/** Opens a session; which tools it lists follows from what the caller may do. */
export async function openSession(parts: SessionParts, id: string): Promise<McpSession> {
  const { server: mcp } = new McpServer(
    { name: 'bey', title: 'Bey', version: parts.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id })
  const plans = createPlans(parts.clock)
  const ending = new AbortController()
  const underWay = new Set<Promise<CallToolResult>>()

  mcp.setRequestHandler(ListToolsRequestSchema, (_request, { authInfo }) => {
    const caller = callerOf(authInfo)
    return {
      tools: tools.filter((tool) => tool.needs.every((each) => mayDo(caller, each))).map(describeTool),
    }
  })
  const run: CallTool = (asked, { authInfo, signal, requestId }) => {
    const origin = {
      caller: callerOf(authInfo),
      signal: AbortSignal.any([signal, ending.signal]),
      hasEnded: () => ending.signal.aborted,
      requestId,
    }
    const answered = callTool({ ...parts, plans, server: mcp }, asked, origin)
    underWay.add(answered)
    return answered.finally(() => underWay.delete(answered))
  }
  mcp.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => run(params, extra))
  serveGuidance(mcp, run)
  await mcp.connect(transport)
  return {
    id,
    handle: (request, message, caller) =>
      transport.handleRequest(request, { parsedBody: message, authInfo: authInfoOf(caller) }),
    async close() {
      // A question to a person is taken back, and the client learns that nothing was done.
      ending.abort()
      await settled(underWay, parts.clock)
      await mcp.close()
    },
  }
}

/** Until all of these are answered and sent, but not longer than an ended session may last. */
async function settled(calls: Iterable<Promise<unknown>>, clock: Clock): Promise<void> {
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  const cancel = clock.setTimeout(resolve, endingMs)
  await Promise.race([Promise.allSettled(calls), isLate])
  cancel()
  await new Promise((sent) => void setImmediate(sent))
}

const endingMs = 500
