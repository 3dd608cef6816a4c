import { errorTable } from '@bey/contract/base/errors'
import type { OpenApi, Operation, Parameter, Response } from '../openapi.ts'
import type { Example } from './examples.ts'
import { exampleOf, schemaText } from './schema-text.ts'

type Row = { method: string; path: string; operation: Operation; example?: Example | undefined }

/** The API reference as one page, made from the OpenAPI document. It needs no script but for its filter. */
export function docsPage(document: OpenApi, examples: ReadonlyMap<string, Example>): string {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Row => ({
      method: method.toUpperCase(),
      path,
      operation,
      example: examples.get(operation.operationId),
    })),
  )
  const groups = document.tags.map(({ name }) => ({
    name,
    rows: rows.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bey API ${escape(document.info.version)}</title>
<link rel="stylesheet" href="/api/docs/style.css">
<script src="/api/docs/script.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the endpoints</a>
<nav aria-label="Endpoints">
<header><a href="/api/docs">Bey API</a> <span>${escape(document.info.version)}</span></header>
<label for="filter">Filter</label>
<input id="filter" type="search" placeholder="Filter endpoints…" autocomplete="off" spellcheck="false">
<p id="count" role="status">${rows.length} endpoints</p>
${groups.map(navGroup).join('\n')}
<section><h2>Reference</h2><ul><li><a href="#conventions">Conventions</a></li><li><a href="#types">Types</a></li><li><a href="#errors">Errors</a></li><li><a href="/api/openapi.json">OpenAPI 3.1 document</a></li></ul></section>
</nav>
<main id="content">
<h1>API reference</h1>
${conventions}
${groups.map(groupSection).join('\n')}
${typesSection(document)}
${errorsSection()}
</main>
</body>
</html>
`
}

function typesSection({ components }: OpenApi): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3>${escape(name)}</h3><pre>${escape(schemaText(schema))}</pre>`,
  )
  return `<section aria-labelledby="types"><h2 id="types">Types</h2>${types.join('\n')}</section>`
}

function navGroup({ name, rows }: { name: string; rows: Row[] }): string {
  const items = rows.map(
    ({ method, path, operation }) =>
      `<li data-text="${escape(searchText({ method, path, operation }))}"><a href="#${operation.operationId}">${badge(method)} ${escape(shortName(operation))}</a></li>`,
  )
  return `<section data-group><h2>${escape(name)}</h2><ul>${items.join('')}</ul></section>`
}

function shortName({ operationId }: Operation): string {
  return operationId.split('.').slice(1).join('.')
}

function searchText({ method, path, operation }: Row): string {
  return `${method} ${path} ${operation.operationId} ${operation.summary} ${operation['x-access']}`.toLowerCase()
}

function groupSection({ name, rows }: { name: string; rows: Row[] }): string {
  return `<section data-group aria-labelledby="group-${name}"><h2 id="group-${name}">${escape(name)}</h2>${rows.map(endpointArticle).join('\n')}</section>`
}

function endpointArticle(row: Row): string {
  const { method, path, operation } = row
  const body = operation.requestBody?.content['application/json']?.schema
  return `<article id="${operation.operationId}" data-text="${escape(searchText(row))}">
<h3>${badge(method)} <code>${escape(path)}</code></h3>
<p>${escape(operation.summary)}.</p>
<p class="access">${accessText(operation)}</p>
${parameterTable(operation.parameters)}
${body ? `<h4>Body</h4><pre>${escape(schemaText(body))}</pre>` : ''}
${successBlock(operation)}
${errorList(operation)}
<h4>Example</h4><pre class="example">${escape(curlOf(row))}</pre>
${replyExample(row)}</article>`
}

function accessText(operation: Operation): string {
  const access = operation['x-access']
  if (access === 'public') return 'Open to everybody.'
  if (access === 'user') return 'Needs a session.'
  const roles = operation['x-roles'] ?? []
  return `Needs the permission <code>${escape(access)}</code>, which ${roles.map((role) => `<b>${role}</b>`).join(', ')} ${roles.length === 1 ? 'holds' : 'hold'}.`
}

function parameterTable(parameters: Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${place}</td><td>${required ? 'yes' : ''}</td><td>${escape(schemaText(schema))}${schema.default === undefined ? '' : `, else ${escape(JSON.stringify(schema.default))}`}${description ? `<br>${escape(description)}` : ''}</td></tr>`,
  )
  return `<h4>Parameters</h4><div class="scroll"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Required</th><th scope="col">Value</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function isError(response: Response): boolean {
  return response['x-codes'] !== undefined
}

function successBlock({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([, response]) => !isError(response))
    .map(([status, { content, description }]) => {
      const heading = status === 'default' ? 'Failure' : `Reply ${status}`
      const [mediaType, media] = Object.entries(content ?? {})[0] ?? []
      if (mediaType === undefined || media === undefined)
        return `<h4>${heading}</h4><p>${escape(description)}</p>`
      const shown = mediaType === 'application/json' ? `<pre>${escape(schemaText(media.schema))}</pre>` : ''
      return `<h4>${heading} <span>${escape(mediaType)}</span></h4>${shown}`
    })
    .join('')
}

function errorList({ responses }: Operation): string {
  const codes = Object.values(responses).flatMap((response) => response['x-codes'] ?? [])
  if (codes.length === 0) return ''
  const links = codes.map(
    (code) => `<a href="#error-${code}"><code>${errorTable[code].status} ${code}</code></a>`,
  )
  return `<h4>Errors</h4><p class="codes">${links.join(' ')}</p>`
}

function replyExample({ example }: Row): string {
  if (example?.reply === undefined) return ''
  return `<p>It was answered with ${example.status}:</p><pre class="example">${escape(JSON.stringify(example.reply, undefined, 2))}</pre>`
}

function curlOf({ method, path: template, operation, example }: Row): string {
  const query = example?.query === undefined ? '' : `?${example.query}`
  const path = `${example?.path ?? template}${query}`
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"$BEY_URL${path}"`]
  if (operation.security.length > 0) lines.push(`-H "Authorization: Bearer $BEY_TOKEN"`)
  if (operation['x-roles']) lines.push(`-H "x-organization-id: $BEY_ORGANIZATION"`)
  const body = operation.requestBody?.content['application/json']?.schema
  // A call without a body was recorded where all fields are optional.
  const shown = example ? example.body : body && exampleOf(body)
  if (body && shown !== undefined)
    lines.push(`-H "Content-Type: application/json"`, `-d '${JSON.stringify(shown)}'`)
  return lines.join(' \\\n  ')
}

function errorsSection(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, when }]) =>
      `<tr id="error-${code}"><td>${status}</td><td><code>${code}</code></td><td>${escape(when)}</td></tr>`,
  )
  return `<section aria-labelledby="errors"><h2 id="errors">Errors</h2><p>Every error is a problem document (RFC 9457, <code>application/problem+json</code>) with <code>type, title, status, detail, code, requestId</code>; for invalid input <code>errors</code> names each field. Programs branch on <code>code</code>.</p><div class="scroll"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`
}

function badge(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** For text and attribute values alike. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const conventions = `<section aria-labelledby="conventions"><h2 id="conventions">Conventions</h2>
<ul>
<li>Bodies and replies are JSON. Fields that are not listed are refused in bodies and left out of replies. Times are RFC 3339 in UTC, sizes bytes, durations milliseconds.</li>
<li><code>POST /api/auth/login</code> answers a token; send it as <code>Authorization: Bearer …</code>. A 401 means that it has to be done again, and nothing else.</li>
<li><code>x-organization-id</code> chooses the organization. What belongs to another one is not found.</li>
<li>Lists are paged: <code>page</code> from 1, <code>limit</code> at most 200. <code>total</code> is exact to 10,000; beyond, <code>totalIsExact</code> is false.</li>
<li>What creates or starts something takes an <code>Idempotency-Key</code>: repeated within 24 hours it answers the first reply again, with <code>idempotency-replayed: true</code>.</li>
<li>A user may ask 600 times a minute; log-in and sign-up 10 times an address and 5 times an account. <code>x-ratelimit-remaining</code> says what is left, <code>retry-after</code> when to try again.</li>
<li>Every reply carries <code>x-request-id</code>; name it when you report an error.</li>
</ul></section>`
