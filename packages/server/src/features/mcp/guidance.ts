import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '../../platform/errors.ts'
import type { CallTool } from './session.ts'
import { callerOf } from './caller-of.ts'
import { promptsOf, promptText } from './prompts.ts'
import { callOfResource, resourcesOf, resourceTemplatesOf } from './resources.ts'

/** Serves resources and prompts; a resource is read, limited and recorded as a call of its tool. */
export function serveGuidance(mcp: McpServer['server'], callTool: CallTool): void {
  mcp.setRequestHandler(ListResourcesRequestSchema, (_request, { authInfo }) => ({
    resources: resourcesOf(callerOf(authInfo)),
  }))
  mcp.setRequestHandler(ListResourceTemplatesRequestSchema, (_request, { authInfo }) => ({
    resourceTemplates: resourceTemplatesOf(callerOf(authInfo)),
  }))
  mcp.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    const asked = callOfResource(uri)
    if (asked === undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no resource ${uri.slice(0, 300)}. List them first.`,
      )
    const { isError, content } = await callTool(asked, extra)
    const text = content.map((each) => (each.type === 'text' ? each.text : '')).join('\n')
    if (isError) throw new McpError(ErrorCode.InvalidRequest, text)
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  })
  mcp.setRequestHandler(ListPromptsRequestSchema, (_request, { authInfo }) => ({
    prompts: promptsOf(callerOf(authInfo)),
  }))
  mcp.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    try {
      const text = promptText(params.name, params.arguments ?? {})
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
    } catch (error) {
      if (error instanceof AppError) throw new McpError(ErrorCode.InvalidParams, error.message)
      throw error
    }
  })
}
