import type { FastifyInstance } from 'fastify'

/** Reads JSON only, takes an empty body for none, and refuses `__proto__` and `constructor.prototype`. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body.trim() === '') done(null, undefined)
    // The parser answers through `done`; its type also allows a promise, which this one never gives.
    else void parse(request, body, done)
  })
}
