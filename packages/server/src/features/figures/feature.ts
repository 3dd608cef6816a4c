import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

import type { Feature, Parts } from '../../feature.ts'
import { AppError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Handlers, PublicCaller } from '../../platform/http/handlers.ts'
import { createFigures, type FigureSources } from './figures.ts'
import { recordProcess } from './process-samples.ts'

type Needs = Pick<FigureSources, 'engine' | 'readOnly' | 'sharing'> & {
  /** Whose requests are counted. */
  http: FastifyInstance
  isLoopback(address: string): boolean
}

/** What Prometheus reads of this process, for anyone who holds the operator's token or sits at the machine. */
export function figuresFeature(
  { database, metrics, clock, log, live, config }: Parts,
  { engine, readOnly, sharing, http, isLoopback }: Needs,
) {
  const figures = createFigures({ database, clock, engine, readOnly, sharing, live: () => live.figures() })
  const samples = recordProcess({
    database,
    metrics,
    clock,
    log,
    live: () => live.figures(),
    port: config.port,
  })
  http.addHook('onResponse', (request, reply, done) => {
    samples.observe(reply.statusCode, reply.elapsedTime)
    const route = request.routeOptions.url ?? 'none'
    figures.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1_000)
    done()
  })

  function requireOperator({ ip, host, isForwarded, bearer }: PublicCaller): void {
    if (bearer !== undefined && isSame(bearer, config.operatorToken)) return
    // A page whose name was pointed at this machine has another host; what a proxy here passes on seems to come from here.
    const isHere = isLoopback(ip.replace(/^::ffff:/, '')) && isLoopback(hostName(host))
    if (bearer === undefined && isHere && isForwarded !== true) return
    throw new AppError(
      'forbidden',
      config.operatorToken === undefined
        ? 'Figures are read from the machine of the server itself. Set BEY_OPERATOR_TOKEN to read them from elsewhere.'
        : 'Send the token of BEY_OPERATOR_TOKEN as "Authorization: Bearer …".',
    )
  }

  const handlers: Handlers<'status.metrics'> = {
    async 'status.metrics'({ caller }) {
      requireOperator(caller)
      // With the version of the text format, by which Prometheus chooses how to read it.
      return answer(await figures.text(), { headers: { 'content-type': figures.mediaType } })
    },
  }
  return { handlers, close: () => samples.stop() } satisfies Feature
}

/** Without the port and the brackets of IPv6. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
}

function isSame(given: string, expected: string | undefined): boolean {
  if (expected === undefined) return false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
