import { errorContextLimits, errorLogLimits } from '@bey/contract'
import { expect, test } from 'vitest'
import { createBreadcrumbs, describeClick, pathPattern } from './breadcrumbs.ts'
import type { CapturedError } from './early.ts'
import { entryOf, keyOf, messageOf } from './entry.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const facts = {
  url: 'http://localhost:8080/reset-password?token=hunter2#x',
  userAgent: 'Test',
  sessionId: 'visit',
  userId: 7,
  organizationId: 3,
  release: '0.1.0+abc',
  routeId: '/reset-password',
  breadcrumbs: [],
}
const captured = (part: Partial<CapturedError>): CapturedError => ({
  kind: 'error',
  values: [new Error('Broken')],
  at,
  ...part,
})

test('a window error has message, file, line, column and stack, and no query of the address', () => {
  const error = new TypeError('x is undefined')
  const place = { source: 'http://localhost:8080/assets/a.js?v=1', line: 3, column: 14 }
  expect(entryOf(captured({ values: [error], place }), facts)).toEqual({
    message: 'TypeError: x is undefined',
    stack: error.stack,
    source: 'http://localhost:8080/assets/a.js',
    line: 3,
    column: 14,
    timestamp: '2026-11-21T12:00:00.000Z',
    userAgent: 'Test',
    url: 'http://localhost:8080/reset-password',
    userId: 7,
    organizationId: 3,
    sessionId: 'visit',
    additionalContext: { kind: 'error', release: '0.1.0+abc', breadcrumbs: [] },
  })
})

test('an error that a boundary caught has the components, the boundary and what stands above it', () => {
  class Boundary {
    props = { panel: 'Capacity' }
  }
  const stack = '\n    at Meter (a.js:1:2)\n    at Boundary (a.js:1:3)\n    at Page (a.js:1:4)'
  const entry = entryOf(
    captured({ kind: 'boundary', components: { stack, boundary: new Boundary() } }),
    facts,
  )
  expect(entry).toMatchObject({
    componentStack: stack,
    errorBoundary: 'panel Capacity',
    errorBoundaryStack: expect.stringMatching(/^\s*at Boundary .*\n\s*at Page .*$/),
  })
  const route = entryOf(captured({ kind: 'boundary', components: { stack, boundary: {} } }), facts)
  expect(route.errorBoundary).toBe('route /reset-password')
})

test('what is printed is read as the console shows it', () => {
  expect(messageOf(['Warning: %s is %o', 'it', { a: 1 }, 'more'])).toBe('Warning: it is {"a":1} more')
  expect(messageOf([new Error('one'), 2, undefined])).toBe('one 2 undefined')
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  expect(messageOf([circular])).toBe('[object Object]')
})

test('a cause follows its error, and the call that failed is named', () => {
  const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { requestId: 'req-1' })
  const entry = entryOf(captured({ values: [error] }), facts)
  expect(entry.stack).toMatch(/outer[^]*Caused by: Error: inner/)
  expect(entry.additionalContext).toMatchObject({ requestId: 'req-1' })
})

test('credentials do not leave the browser', () => {
  const breadcrumbs = createBreadcrumbs(() => at)
  breadcrumbs.add('toast', 'token=hunter2 copied')
  const error = new Error('Bearer hunter2hunter2 was refused, password: "hunter2"')
  const entry = entryOf(captured({ values: [error] }), { ...facts, breadcrumbs: breadcrumbs.list() })
  expect(JSON.stringify(entry)).not.toContain('hunter2')
})

test('whatever was caught fits what the server takes', () => {
  const breadcrumbs = createBreadcrumbs(() => at)
  for (let count = 0; count < 100; count += 1) breadcrumbs.add('click', `${count} ${'"x'.repeat(200)}`)
  const error = new Error('\0x'.repeat(10_000))
  error.stack = 'y'.repeat(100_000)
  const entry = entryOf(captured({ values: [error] }), { ...facts, breadcrumbs: breadcrumbs.list() })
  expect(entry.message).toHaveLength(errorLogLimits.messageLength)
  expect(entry.message).not.toContain('\0')
  expect(entry.stack).toHaveLength(errorLogLimits.stackLength)
  expect(JSON.stringify(entry.additionalContext).length).toBeLessThanOrEqual(errorContextLimits.length)
  expect(breadcrumbs.list()).toHaveLength(errorContextLimits.breadcrumbs)
  expect(breadcrumbs.list().at(-1)?.message).toMatch(/^99 /)
  expect(keyOf(entry).length).toBeLessThan(20_000)
})

test('a click is reported by role and name, and never by what was typed', () => {
  document.body.innerHTML = `
    <button aria-label="Close"><i></i></button><a href="/x"> Go  there </a>
    <label>Password <input type="password" value="hunter2" /></label><p>text</p>`
  const describe = (selector: string) => describeClick(document.querySelector(selector))
  expect(describe('i')).toBe('button “Close”')
  expect(describe('a')).toBe('link “Go there”')
  expect(describe('input')).toBe('field “Password”')
  expect(describe('p')).toBeUndefined()
})

test('calls are reported by the pattern of their path', () => {
  expect(pathPattern('/api/x/42/y/0191d3a4-1111-7000-8000-000000000001?q=1')).toBe('/api/x/{id}/y/{id}')
})
