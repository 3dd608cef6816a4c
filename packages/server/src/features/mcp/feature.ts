import type { FastifyInstance } from 'fastify'
import type { Feature, Parts } from '../../feature.ts'
import { mcpRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'

export type McpNeeds = {
  /** The server's own routes, by which tools act as any other client does. */
  http: FastifyInstance
  version: string
}

/** Assistants over the Model Context Protocol. */
export function mcpFeature({ database, live, clock, log, config }: Parts, { http, version }: McpNeeds) {
  const sessions = createSessions({
    // Loaded with the first assistant: the protocol's schemas are a twentieth of a start.
    async open(id) {
      const { openSession } = await import('./session.ts')
      return openSession({ http, database, clock, log, version }, id)
    },
    clock,
    log,
  })
  const stopListening = [
    live.onAccessEnd((ended) => sessions.endBy(ended)),
    // While the database was away, ends of access may have been missed.
    database.onUp(() => void sessions.endAll()),
  ]
  return {
    handlers: mcpRoutes(sessions, { publicUrl: config.publicUrl, hosts: config.hosts }),
    async close() {
      for (const stop of stopListening) stop()
      await sessions.close()
    },
  } satisfies Feature
}
