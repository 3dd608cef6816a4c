import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Answers a request that has no route with the console's page or a file of it; undefined where neither is meant. */
export type ConsolePage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Serves the built console: its assets for ever, everything else always asked for again. */
export async function serveConsole(app: FastifyInstance, dir: string): Promise<ConsolePage> {
  const isBuilt = existsSync(join(dir, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: dir,
      index: false,
      // A route per file: what is not there falls through to the page.
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        // Their names have the hash of their contents.
        const isHashed = path.includes('/assets/')
        void response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  return (request, reply) => {
    const asset = isBuilt ? assetOf(request) : undefined
    // The console was built anew while the server runs, or its build ended only then: files that had no route at the start.
    if (asset !== undefined && existsSync(join(dir, asset))) return reply.sendFile(asset)
    if (!isNavigation(request)) return undefined
    if (isBuilt) return reply.sendFile('index.html')
    throw new AppError(
      'route_not_found',
      'The console is not built. Run npm run build and restart, or open the address that npm run dev prints.',
    )
  }
}

/** The path below the console's directory of a file that the build may have put there. */
function assetOf({ method, url }: FastifyRequest): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  return /^\/((?:assets|cli)\/[\w-][\w.-]*)(\?|$)/.exec(url)?.[1]
}

function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = url.split('?', 1)[0] ?? '/'
  if (path === '/') return true
  if (/^\/(api|ws|health|assets)(\/|$)/.test(path)) return false
  return /\btext\/html\b/.test(headers.accept ?? '')
}
