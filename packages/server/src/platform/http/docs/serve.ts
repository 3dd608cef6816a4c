import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { openApiOf } from '../openapi.ts'
import { readExamples, withExamples } from './examples.ts'
import { docsPage } from './page.ts'

/** The API reference, made once when it is first asked for. */
export type ApiReference = { openApi(): string; page(): string }

/** Serves the style sheet and the script of the page; the page and the document itself are endpoints. */
export async function serveApiReference(app: FastifyInstance, version: string): Promise<ApiReference> {
  const [style, script] = await Promise.all(
    ['./style.css', './script.js'].map((name) => readFile(new URL(name, import.meta.url), 'utf8')),
  )
  app.get('/api/docs/style.css', (_request, reply) => send(reply.type('text/css; charset=utf-8')).send(style))
  app.get('/api/docs/script.js', (_request, reply) =>
    send(reply.type('text/javascript; charset=utf-8')).send(script),
  )
  let openApi: string | undefined
  let page: string | undefined
  return {
    openApi: () => (openApi ??= JSON.stringify(documentOf(version), undefined, 2)),
    page: () => (page ??= docsPage(documentOf(version), readExamples())),
  }
}

const documentOf = (version: string) => withExamples(openApiOf(version), readExamples())

function send<R extends { header(name: string, value: string): R }>(reply: R): R {
  return reply.header('cache-control', 'no-cache')
}
