import { expect, test } from 'vitest'
import { ruleScope } from '../schema/rule-types.ts'
import { check } from './check.ts'

const scope = ruleScope(
  {
    type: 'object',
    properties: {
      replicas: { type: 'integer' },
      name: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      limits: { type: 'object', additionalProperties: { type: 'integer' } },
      parts: { type: 'array', items: { type: 'object', properties: { size: { type: 'number' } } } },
      port: { 'x-kubernetes-int-or-string': true },
      until: { type: 'string', format: 'date-time' },
      'a-b': { type: 'boolean' },
      inner: { type: 'object', properties: { deep: { type: 'object', properties: {} } } },
    },
  },
  false,
  false,
)

test.each([
  ["self.name.startsWith('a') && self.replicas > 1", 'bool'],
  ['self.parts.all(part, part.size > 1.5) && self.parts[0] == self.parts[1]', 'bool'],
  ["self.limits['cpu'] < 3 && self.a__dash__b", 'bool'],
  ["type(self.port) == int ? self.port < 80 : self.port == 'http'", 'bool'],
  ["self.until < timestamp('2030-01-01T00:00:00Z') && has(self.until)", 'bool'],
  ['self.parts.exists(p, has(p.size)) && oldSelf.replicas <= self.replicas', 'bool'],
  ["self.name + 'x'", 'string'],
  ['self.inner != null && self.inner.deep == oldSelf.inner.deep && self.inner in [oldSelf.inner]', 'bool'],
])('%s is a %s', (expression, type) => {
  expect(check(expression, scope)).toEqual({ type })
})

test.each([
  ['self.replicas >', "1:16: Syntax error: mismatched input '<EOF>' expecting {'[', '{',"],
  ['(self.replicas > 1', "1:19: Syntax error: missing ')' at '<EOF>'"],
  ['self.name == “a”', "1:14: Syntax error: token recognition error at: '“'"],
  ['self.nothing > 1', "1:5: undefined field 'nothing'"],
  ['self.parts.all(p, p.length > 1.0)', "1:20: undefined field 'length'"],
  ['true && has(self.nothing)', "1:17: undefined field 'nothing'"],
  ['self.name.nothing > 1', "1:10: type 'string' does not support field selection"],
  ['other.name', "1:1: undeclared reference to 'other' (in container '')"],
  ['twice(self.replicas)', "1:6: undeclared reference to 'twice' (in container '')"],
  ["self.replicas > 'a'", "1:15: found no matching overload for '_>_' applied to '(int, string)'"],
  ['self.tags == 1', "1:11: found no matching overload for '_==_' applied to '(list(string), int)'"],
  ['self.name.startsWith(1)', "1:21: found no matching overload for 'startsWith' applied to 'string.(int)'"],
  ['!self.name', "1:1: found no matching overload for '!_' applied to '(string)'"],
])('%s does not compile', (expression, text) => {
  const { wrong } = check(expression, scope)
  expect(wrong).toContain(`compilation failed: ERROR: <input>:${text}`)
  const [, line, mark] = (wrong ?? '').split('\n')
  expect(line).toBe(` | ${expression}`)
  const column = Number(/<input>:1:(\d+)/.exec(wrong ?? '')?.[1])
  expect(mark).toBe(` | ${'.'.repeat(column - 1)}^`)
})

test('what Kubernetes knows and the evaluator does not is no reason to refuse', () => {
  expect(check('self.tags.all(i, tag, i < 3 && tag.size() > 0)', scope).wrong).toBeUndefined()
  expect(check('object.?spec.value().size > 1', { variables: { object: 'dyn' } }).wrong).toBeUndefined()
  expect(check('oldSelf.optMap(old, old.size).orValue(2) > 1', scope).wrong).toBeUndefined()
})

test('a rule of many lines is pointed at in its own line', () => {
  expect(check('true &&\n  self.nothing', scope).wrong).toBe(
    "compilation failed: ERROR: <input>:2:7: undefined field 'nothing'\n |   self.nothing\n | ......^",
  )
})
