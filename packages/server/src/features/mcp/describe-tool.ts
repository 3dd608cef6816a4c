import type { Tool as ToolDescription } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { actOutput, type Tool } from './tool.ts'

const known = new Map<Tool, ToolDescription>()

/** A tool as clients list it. */
export function describeTool(tool: Tool): ToolDescription {
  const described = known.get(tool) ?? describe(tool)
  known.set(tool, described)
  return described
}

function describe(tool: Tool): ToolDescription {
  const { name, title, description, input, effect } = tool
  return {
    name,
    title,
    description:
      effect === 'read'
        ? description
        : `${description} Without \`plan\` it makes a dry run and answers a plan; with the id of the plan it carries it out.`,
    inputSchema: objectSchema(z.toJSONSchema(input, { io: 'input' })),
    outputSchema: objectSchema(z.toJSONSchema(effect === 'read' ? tool.output : actOutput, { io: 'output' })),
    annotations: {
      title,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'act' && tool.mayDestroy,
      idempotentHint: effect === 'read',
      openWorldHint: false,
    },
  }
}

/** Every input and output is an object; the dialect is the one that the protocol assumes. */
function objectSchema({
  $schema: _dialect,
  ...schema
}: z.core.JSONSchema.BaseSchema): ToolDescription['inputSchema'] {
  return { ...schema, type: 'object' } as ToolDescription['inputSchema']
}
