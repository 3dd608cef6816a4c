import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'

const path = '/mcp'

/**
 * The Model Context Protocol (https://modelcontextprotocol.io, streamable HTTP): an assistant is a client like any other.
 * The endpoint needs no permission by itself, for each tool asks for its own.
 */
export const mcpEndpoints = {
  'mcp.send': endpoint({
    method: 'POST',
    path,
    summary: 'Model Context Protocol: one message of an assistant, answered as JSON or as a stream of events',
    access: 'organization.read',
    isForEveryKey: true,
    worksWhileDeleting: true,
    takesBytes: true,
    withoutIdempotencyKey:
      'Every message has an id of its own, and what acts is carried out once for each plan.',
    // What a tool changed is announced by live events.
    outdates: [],
    response: { mediaType: 'text/event-stream', alternatives: ['application/json'] },
    alsoAnswers: [202, 400, 406, 415],
    errors: ['forbidden', 'not_found', 'limit_reached', 'invalid_request', 'malformed_json'],
  }),
  'mcp.end': endpoint({
    method: 'DELETE',
    path,
    summary:
      'Model Context Protocol: end the session that the header mcp-session-id names, if it is still open',
    access: 'organization.read',
    isForEveryKey: true,
    worksWhileDeleting: true,
    takesBytes: true,
    outdates: [],
    response: z.null(),
    status: 204,
    errors: ['forbidden'],
  }),
} as const
